import { useState } from 'react'
import { attempt } from '../../state/attempt.ts'
import { importConversation } from '../../state/conversation-actions.ts'
import { IconButton } from '../../ui/Button.tsx'
import { useFileInput } from '../../ui/fields/use-file-input.tsx'
import { ImportIcon } from '../../ui/icons.tsx'

export function ImportButton() {
  const [share, setShare] = useState<number>()
  const take = async (file: File) => {
    setShare(0)
    await attempt(importConversation(file, setShare))
    setShare(undefined)
  }
  const file = useFileInput({
    label: 'Exported conversation',
    accept: '.parley,.json,application/json',
    onFiles: ([chosen]) => void take(chosen),
  })
  return (
    <>
      <IconButton label="Import a conversation" icon={<ImportIcon />} disabled={share !== undefined} onClick={file.choose} />
      {file.input}
      {share === undefined ? null : <progress aria-label="Importing" value={share} max={1} />}
    </>
  )
}
