import { redactUnknown } from '../../../src-shared/base/secrets.ts'
import type { CompletionAnswer, CompletionSource } from '../../../src-shared/contract/attachments.ts'
import { HostError, type Problem } from '../../../src-shared/contract/errors.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import { parseUriTemplate, templateVariables, UriTemplateError } from '../../../src-shared/mcp/uri-template.ts'
import type { CatalogValue } from '../../client/catalog.ts'
import type { Client } from '../../client/client.ts'
import type { CompletionRef } from '../../client/completions.ts'
import { ErrorCode, ProtocolError, RequestError } from '../../protocol/shapes/json-rpc.ts'
import { cut } from '../core/content-views.ts'
import type { PersonRules } from '../servers/person-rules.ts'
import type { Servers } from '../servers/servers.ts'

/** Milliseconds after which a field has no suggestions. */
const COMPLETION_TIMEOUT = 10_000
/** Characters of a suggestion; longer ones are left out. */
const MAX_LENGTH = 4_000

interface CompletionWanted {
  readonly serverId: ServerId
  readonly of: CompletionSource
  readonly argument: { readonly name: string; readonly value: string }
  readonly context?: Readonly<Record<string, string>>
}

const NOTHING: CompletionAnswer = { values: [], hasMore: false }
const DENIED: Problem = { code: 'denied', what: 'Your rule keeps what you type from this server, so it suggests nothing.' }
const HELD: Problem = {
  code: 'held',
  what: 'What you typed was not sent for suggestions: it looks like a key, or your rule says to ask first.',
}

/** Suggestions for the fields of a form. A server that has none, or fails, leaves the field to be typed (COMP-12, COMP-16). */
export class ArgumentCompletion {
  readonly #servers: Servers
  readonly #rules: PersonRules

  constructor({ servers, rules }: { readonly servers: Servers; readonly rules: PersonRules }) {
    this.#servers = servers
    this.#rules = rules
  }

  /** Throws `invalid-params` for a field that the form does not have (COMP-13). */
  async complete({ serverId, of, argument, context }: CompletionWanted, signal: AbortSignal): Promise<CompletionAnswer> {
    const server = this.#servers.configured.find(serverId)
    const release = server?.hold()
    try {
      const client = await server?.clients.next(signal)
      return client ? await this.#completeWith(client, { serverId, of, argument, ...(context && { context }) }, signal) : NOTHING
    } finally {
      release?.()
    }
  }

  async #completeWith(
    client: Client,
    { serverId, of, argument, context }: CompletionWanted,
    signal: AbortSignal,
  ): Promise<CompletionAnswer> {
    const fields = fieldsOf(of, client.catalog.value)
    if (!fields?.includes(argument.name)) {
      throw new HostError('invalid-params', `There is no field “${cut(argument.name, 80)}” to complete here.`)
    }
    // Only the other fields of this form are sent (COMP-15).
    const chosen = Object.fromEntries(
      Object.entries(context ?? {}).filter(([name, value]) => name !== argument.name && value !== '' && fields.includes(name)),
    )
    const ref: CompletionRef =
      of.type === 'prompt' ? { type: 'ref/prompt', name: of.name } : { type: 'ref/resource', uri: of.uriTemplate }
    const held = await this.#rules.ruledRequest(serverId, 'completion/complete', {
      ...chosen,
      [argument.name]: argument.value,
    })
    if (held) return { ...NOTHING, problem: held === 'deny' ? DENIED : HELD }
    const others = Object.keys(chosen).length > 0 ? { arguments: chosen } : undefined
    try {
      const { values, total, hasMore } = await client.complete(ref, argument, others, { signal, timeout: COMPLETION_TIMEOUT })
      const usable = values.filter((value) => value.length <= MAX_LENGTH)
      return {
        values: usable,
        ...(total !== undefined && { total }),
        hasMore: hasMore === true || (total !== undefined && total > values.length),
      }
    } catch (error) {
      return withoutSuggestions(error, this.#servers.configured.find(serverId)?.record.name ?? serverId)
    }
  }
}

/** Names of a form's fields; undefined when the server no longer lists the prompt or template. */
function fieldsOf(of: CompletionSource, listed: CatalogValue) {
  if (of.type === 'prompt') {
    const prompt = listed.prompts.find(({ name }) => name === of.name)
    return prompt && (prompt.arguments ?? []).map(({ name }) => name)
  }
  if (!listed.templates.some(({ uriTemplate }) => uriTemplate === of.uriTemplate)) return undefined
  try {
    return templateVariables(parseUriTemplate(of.uriTemplate))
  } catch (error) {
    if (error instanceof UriTemplateError) return undefined
    throw error
  }
}

function withoutSuggestions(error: unknown, serverName: string): CompletionAnswer {
  // A newer keystroke replaced this request (COMP-17).
  if (error instanceof DOMException && error.name === 'AbortError') return NOTHING
  const unsupported =
    (error instanceof ProtocolError && error.code === ErrorCode.methodNotFound) ||
    (error instanceof RequestError && error.code === 'not-negotiated')
  if (unsupported) return { ...NOTHING, unsupported: true }
  const said = error instanceof Error ? cut(redactUnknown(error.message), 300) : ''
  return {
    ...NOTHING,
    problem: {
      code: 'no-suggestions',
      what: `“${cut(serverName, 80)}” has no suggestions now.`,
      ...(said && { said }),
      todo: 'Type the value.',
    },
  }
}
