import { useEffect } from 'react'
import { importFile } from '../../state/import-file.ts'
import { arriveImport } from '../../state/view-store.ts'
import { DropTarget } from '../../ui/DropTarget.tsx'
import { isTyping } from '../../ui/fields/keys.ts'

interface DropConfigProps {
  /** Takes a pasted text that is not a configuration. True if it did. */
  readonly onText?: (text: string) => boolean
}

/** Reviews a configuration that is dropped on the window, or pasted outside of fields. */
export function DropConfig({ onText }: DropConfigProps) {
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData('text') ?? ''
      if (text.trim() === '' || isTyping(event) || document.querySelector('dialog:modal')) return
      event.preventDefault()
      if (!onText?.(text)) arriveImport({ text })
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [onText])
  return (
    <DropTarget onFiles={([file]) => file && void importFile(file, arriveImport)}>
      Drop a configuration or bundle to review its servers
    </DropTarget>
  )
}
