import type { ServerRecord } from '../../src-shared/contract/servers.ts'
import type { Prompt } from '../../src-shared/mcp/primitives.ts'
import { type Texts, TextsForm } from './TextsForm.tsx'

export interface PromptFormProps {
  readonly server: Pick<ServerRecord, 'id' | 'name'>
  readonly prompt: Prompt
  readonly busy: boolean
  /** Only called with every required argument filled in. Values are texts, as the protocol wants them (PROMPT-05). */
  readonly onSubmit: (args: Texts) => void
}

/** The arguments of a prompt, titled as the server titles them. */
export function PromptForm({ server, prompt, busy, onSubmit }: PromptFormProps) {
  const fields = (prompt.arguments ?? []).map(({ name, title, description, required }) => ({
    name,
    label: title || name,
    description,
    required: required === true,
  }))
  return (
    <TextsForm
      label="Arguments of the prompt"
      server={server}
      of={{ type: 'prompt', name: prompt.name }}
      fields={fields}
      none="No arguments."
      action={busy ? 'Loading …' : 'Preview'}
      busy={busy}
      onSubmit={onSubmit}
    />
  )
}
