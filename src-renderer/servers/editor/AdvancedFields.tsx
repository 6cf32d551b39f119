import { Switch } from '../../ui/fields/Checkbox.tsx'
import { Select } from '../../ui/fields/Select.tsx'
import { SpinField } from '../../ui/fields/SpinField.tsx'
import { ERAS } from '../words/era-words.ts'
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
          label="Request timeout (seconds)"
          hint="Then you are asked whether to keep waiting. Progress restarts it."
          problem={errors.get('requestTimeout')}
          value={draft.requestTimeout}
          minimum={1}
          maximum={86_400}
          onChange={(requestTimeout) => onChange({ requestTimeout })}
        />
        <SpinField
          label="Maximum request time (seconds)"
          hint="Even with progress. Time you take to answer does not count."
          problem={errors.get('maxRequestTime')}
          value={draft.maxRequestTime}
          minimum={1}
          maximum={86_400}
          onChange={(maxRequestTime) => onChange({ maxRequestTime })}
        />
        <Select
          label="Protocol version"
          hint="Automatic asks the server what it speaks."
          options={ERAS}
          value={draft.era}
          onChange={(era) => onChange({ era })}
        />
        <Switch
          label="Draft profile"
          hint="For servers on the draft of elicitation: a refusal is sent as reject."
          checked={draft.draftProfile}
          onChange={(draftProfile) => onChange({ draftProfile })}
        />
      </div>
    </details>
  )
}
