import { useState } from 'react'
import { ask } from '../../state/ask.ts'
import { saveText } from '../../state/save-file.ts'
import { useAction } from '../../state/use-action.ts'
import { Button } from '../../ui/Button.tsx'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { useFileInput } from '../../ui/fields/use-file-input.tsx'
import { importSummary } from './rules-file.ts'

export function RulesFile({ none, onChange }: { readonly none: boolean; readonly onChange: () => void }) {
  const [summary, setSummary] = useState<string>()
  const { busy, problem, run } = useAction()
  const save = () =>
    run(async () => saveText((await ask('consent.export', {})).json, 'parley-consent-rules.json', 'application/json'))
  const take = (file: File) => {
    setSummary(undefined)
    return run(async () => {
      setSummary(importSummary(await ask('consent.import', { json: await file.text() })))
      onChange()
    })
  }
  const file = useFileInput({
    label: 'Exported rules',
    accept: '.json,application/json',
    onFiles: ([chosen]) => void take(chosen),
  })
  return (
    <>
      <Button disabled={busy || none} onClick={() => void save()}>
        Export rules
      </Button>
      <Button disabled={busy} onClick={file.choose}>
        Import rules
      </Button>
      {file.input}
      <span className="meta" role="status">
        {summary}
      </span>
      <FailureLine problem={problem} />
    </>
  )
}
