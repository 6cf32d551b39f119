import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { systemClock } from '../../src-shared/base/clock.ts'
import { Button, IconButton } from './Button.tsx'
import { CloseIcon } from './icons.tsx'

const LASTS = 20_000

interface UndoBarProps {
  /** The action that can be undone: "Deleted “Trip to Rome”". */
  readonly text: string
  readonly label?: string | undefined
  readonly onUndo: () => void
  readonly onDismiss: () => void
}

/** Offers undo for 20 s, longer while it is pointed at, focused or behind a dialog. */
export function UndoBar({ text, label = 'Undo', onUndo, onDismiss }: UndoBarProps) {
  const [held, setHeld] = useState(false)
  const bar = useRef<HTMLElement>(null)
  // The pressed button disappears with the bar, so the focus moves to the screen's heading or the message field.
  useLayoutEffect(() => {
    const shown = bar.current
    return () => {
      if (!shown?.contains(document.activeElement)) return
      document.querySelector<HTMLElement>('.screen-title, .composer textarea')?.focus({ preventScroll: true })
    }
  }, [])
  useEffect(() => {
    if (held) return
    let stop = () => {}
    const wait = () => {
      stop = systemClock.after(LASTS, () => (document.querySelector('dialog:modal') ? wait() : onDismiss()))
    }
    wait()
    return () => stop()
  }, [held, onDismiss])
  return (
    <section
      ref={bar}
      className="ui-undo line"
      aria-label="Undo"
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span className="ui-undo-text" role="status">
        {text}
      </span>
      <Button size="small" onClick={onUndo}>
        {label}
      </Button>
      <IconButton label="Dismiss" icon={<CloseIcon />} onClick={onDismiss} />
    </section>
  )
}
