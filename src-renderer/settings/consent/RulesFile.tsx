import { useState } from 'react'
import { ask } from '../../state/ask.ts'
import { saveText } from '../../state/save-file.ts'
import { useAction } from '../../state/use-action.ts'
import { Button } from '../../ui/Button.tsx'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { useFileInput } from '../../ui/fields/use-file-input.tsx'
import { importedWords } from './rules-file.ts'

/** Takes the rules out as a file, and in from one. */
export function RulesFile({ none, onChange }: { readonly none: boolean; readonly onChange: () => void }) {
  const [said, setSaid] = useState<string>()
  const { busy, problem, run } = useAction()
  const save = () =>
    run(async () => saveText((await ask('consent.export', {})).json, 'parley-consent-rules.json', 'application/json'))
  const take = (file: File) => {
    setSaid(undefined)
    return run(async () => {
      setSaid(importedWords(await ask('consent.import', { json: await file.text() })))
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
        {said}
      </span>
      <FailureLine problem={problem} />
    </>
  )
}
