import { Switch } from '../../ui/fields/Checkbox.tsx'
import { SpinField } from '../../ui/fields/SpinField.tsx'
import type { DraftField, ServerDraft } from './server-draft.ts'

export interface AdvancedFieldsProps {
  readonly draft: ServerDraft
  readonly onChange: (part: Partial<ServerDraft>) => void
  readonly errors: ReadonlyMap<DraftField, string>
}

/** What few servers need. Opens by itself when something in it is wrong. */
export function AdvancedFields({ draft, onChange, errors }: AdvancedFieldsProps) {
  const wrong = errors.has('requestTimeout') || errors.has('maxRequestTime')
  return (
    <details className="editor-advanced" open={wrong || undefined}>
      <summary>Advanced</summary>
      <div className="editor column-4">
        <SpinField
          label="Seconds to wait for an answer"
          hint="Then a tool call asks you whether to wait on. Progress starts the count again."
          problem={errors.get('requestTimeout')}
          value={draft.requestTimeout}
          minimum={1}
          maximum={86_400}
          onChange={(requestTimeout) => onChange({ requestTimeout })}
        />
        <SpinField
          label="Seconds a request may take in all"
          hint="Whatever its progress says; then, too, you are asked. Time that you take to answer a question does not count."
          problem={errors.get('maxRequestTime')}
          value={draft.maxRequestTime}
          minimum={1}
          maximum={86_400}
          onChange={(maxRequestTime) => onChange({ maxRequestTime })}
        />
        <Switch
          label="Draft profile"
          hint="Speaks the draft pages on elicitation: a refusal is sent as reject. Only for servers that ask for it."
          checked={draft.draftProfile}
          onChange={(draftProfile) => onChange({ draftProfile })}
        />
      </div>
    </details>
  )
}
