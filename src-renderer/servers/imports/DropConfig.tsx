import { useEffect } from 'react'
import { arriveImport } from '../../state/view-store.ts'
import { DropTarget } from '../../ui/DropTarget.tsx'
import { isTyping } from '../../ui/fields/keys.ts'
import { importFile } from './import-file.ts'

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
      Drop a configuration to import its servers
    </DropTarget>
  )
}
