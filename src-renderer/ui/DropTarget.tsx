import { useEffect, useRef, useState } from 'react'

interface DropTargetProps {
  /** Says, while files are dragged, what dropping them does. */
  readonly children: string
  readonly onFiles: (files: readonly File[]) => void
}

/** Takes files dropped anywhere on the window, which would otherwise replace the page. */
export function DropTarget({ children, onFiles }: DropTargetProps) {
  const [over, setOver] = useState(false)
  const hear = useRef(onFiles)
  useEffect(() => {
    hear.current = onFiles
  })
  useEffect(() => {
    const drag = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      const open = document.querySelector('dialog:modal') === null
      event.dataTransfer.dropEffect = open ? 'copy' : 'none'
      setOver(open && event.type !== 'drop' && (event.type !== 'dragleave' || event.relatedTarget !== null))
      if (open && event.type === 'drop') hear.current([...event.dataTransfer.files])
    }
    const kinds = ['dragenter', 'dragover', 'dragleave', 'drop'] as const
    for (const kind of kinds) document.addEventListener(kind, drag)
    return () => {
      for (const kind of kinds) document.removeEventListener(kind, drag)
    }
  }, [])
  return over ? (
    <div className="drop-target" aria-hidden="true">
      {children}
    </div>
  ) : null
}

/** Keeps a file that nothing takes from replacing the page. Returns the undo. */
export function refuseDrops(window: Window): () => void {
  const refuse = (event: DragEvent) => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'none'
  }
  const kinds = ['dragover', 'drop'] as const
  for (const kind of kinds) window.addEventListener(kind, refuse)
  return () => {
    for (const kind of kinds) window.removeEventListener(kind, refuse)
  }
}
