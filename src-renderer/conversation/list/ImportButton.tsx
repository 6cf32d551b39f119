import { useRef, useState } from 'react'
import { attempt } from '../../state/attempt.ts'
import { importConversation } from '../../state/conversation-actions.ts'
import { announce, showFailure } from '../../state/view-store.ts'
import { IconButton } from '../../ui/Button.tsx'
import { ImportIcon } from '../../ui/icons.tsx'

/** Takes an exported conversation back. */
export function ImportButton() {
  const field = useRef<HTMLInputElement>(null)
  const [share, setShare] = useState<number>()
  const take = async (file: File) => {
    setShare(0)
    const [imported] = (await attempt(importConversation(file, setShare))) ?? []
    setShare(undefined)
    if (!imported) return
    announce(`Imported ${imported.messages} messages`)
    if (imported.warnings.length > 0) showFailure(imported.warnings.slice(0, 3).join(' '))
  }
  return (
    <>
      <IconButton
        label="Import a conversation"
        icon={<ImportIcon />}
        disabled={share !== undefined}
        onClick={() => field.current?.click()}
      />
      <input
        ref={field}
        type="file"
        accept=".parley,.json,application/json"
        hidden
        aria-label="Exported conversation"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? []
          event.currentTarget.value = ''
          if (file) void take(file)
        }}
      />
      {share === undefined ? null : <progress aria-label="Importing" value={share} max={1} />}
    </>
  )
}
