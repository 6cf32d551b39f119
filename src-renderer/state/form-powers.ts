import type { ServerId } from '../../src-shared/contract/ids.ts'
import { failureText } from './actions.ts'
import { complete, expandTemplate, getPrompt, templateVariables } from './context-actions.ts'

type Values = Readonly<Record<string, string>>

/** What the form of a prompt asks of the host. */
export const promptPowers = (serverId: ServerId, prompt: string) => ({
  get: (args: Values, signal: AbortSignal) => getPrompt(serverId, prompt, args, signal),
  complete: (name: string, value: string, context: Values, signal: AbortSignal) =>
    complete(serverId, { type: 'prompt', name: prompt }, { name, value }, context, signal),
  failed: failureText,
})

/** What the form of a template asks of the host. Keep its identity. */
export const templatePowers = (serverId: ServerId, uriTemplate: string) => ({
  variables: (signal: AbortSignal) => templateVariables(serverId, uriTemplate, signal),
  expand: (values: Values) => expandTemplate(serverId, uriTemplate, values),
  complete: (name: string, value: string, context: Values, signal: AbortSignal) =>
    complete(serverId, { type: 'template', uriTemplate }, { name, value }, context, signal),
  failed: failureText,
})
