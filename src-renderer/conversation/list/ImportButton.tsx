import { useRef, useState } from 'react'
import { attempt } from '../../state/attempt.ts'
import { importConversation } from '../../state/conversation-actions.ts'
import { IconButton } from '../../ui/Button.tsx'
import { ImportIcon } from '../../ui/icons.tsx'

/** Takes an exported conversation back. */
export function ImportButton() {
  const field = useRef<HTMLInputElement>(null)
  const [share, setShare] = useState<number>()
  const take = async (file: File) => {
    setShare(0)
    await attempt(importConversation(file, setShare))
    setShare(undefined)
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
