import type { ServerRecord } from '../../src-shared/contract/servers.ts'
import type { Prompt } from '../../src-shared/mcp/primitives.ts'
import { type Texts, TextsForm } from './TextsForm.tsx'

interface PromptFormProps {
  readonly server: Pick<ServerRecord, 'id' | 'name'>
  readonly prompt: Prompt
  readonly busy: boolean
  /** Called only when every required argument is filled in. Values are texts (PROMPT-05). */
  readonly onSubmit: (args: Texts) => void
}

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
