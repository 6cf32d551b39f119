import { useEffect } from 'react'
import { importFile, openImport } from '../../state/import-actions.ts'
import { DropTarget } from '../../ui/DropTarget.tsx'

/** Takes a configuration that is dropped on the window, or pasted where no field takes it, to its review. */
export function DropConfig() {
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData('text') ?? ''
      if (text.trim() === '' || takesText(event.target) || document.querySelector('dialog:modal')) return
      event.preventDefault()
      openImport({ text })
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [])
  return <DropTarget onFiles={([file]) => file && void importFile(file)}>Drop a configuration to import its servers</DropTarget>
}

/** A tick has the focus after a click, and takes no text. */
function takesText(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'file', 'button'].includes(target.type)
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLElement && target.isContentEditable)
}
