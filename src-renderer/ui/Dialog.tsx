import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { Button, IconButton } from './Button.tsx'
import { GrantButton } from './GrantButton.tsx'
import type { Granting } from './grants/use-grant.ts'
import { CloseIcon } from './icons.tsx'

export interface DialogProps {
  /** The accessible name, shown as the heading. */
  readonly title: string
  /** Called by Escape, and by × when `closeLabel` is set. It never allows anything. */
  readonly onEscape: () => void
  /** Without it there is no ×. */
  readonly closeLabel?: string
  /** A modal dialog covers the page; any other stands where it is written. */
  readonly modal?: boolean
  readonly size?: 'small' | 'normal' | 'wide'
  /** Gets the focus on opening; the dialog itself when absent. */
  readonly initialFocus?: RefObject<HTMLElement | null>
  /** Called by a click on the dimmed page. */
  readonly onOutside?: () => void
  /** The speaker: beside the title, or below it where both are long. */
  readonly speaker?: ReactNode
  /** Controls beside ×. */
  readonly corner?: ReactNode
  readonly children: ReactNode
  readonly footer?: ReactNode
}

/** A native dialog: moves the focus in, keeps it there while modal, and returns it on closing. */
export function Dialog(props: DialogProps) {
  const { title, onEscape, closeLabel, modal = true, size = 'normal', initialFocus, onOutside, speaker, corner } = props
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const shown = useRef(false)

  useLayoutEffect(() => {
    const element = dialog.current
    if (!element) return
    const before = document.activeElement
    const address = location.hash
    if (modal) element.showModal()
    else element.show()
    shown.current = true
    const target = initialFocus?.current ?? element
    target.focus()
    return () => {
      shown.current = false
      const lost = element.contains(document.activeElement) || document.activeElement === document.body
      const area = before instanceof HTMLTextAreaElement ? before : undefined
      const { selectionStart = 0, selectionEnd = 0 } = area ?? {}
      element.close()
      if (!lost) return
      // Closing a dialog that has its own URL leads to the parent's URL. Any other change of URL means that the screen has changed.
      const stays = address.startsWith(location.hash) || before?.closest('main')
      const had = before instanceof HTMLElement && before !== document.body && before.isConnected && stays ? before : undefined
      // With nothing to go back to, the focus goes to the heading of the screen, which takes it itself once it is there.
      const back = had ?? document.querySelector<HTMLElement>('.screen-title')
      if (back) back.focus({ preventScroll: had === undefined })
      else if (document.activeElement === before) (before as HTMLElement | null)?.blur()
      // Clicking in the dialog removes the caret from the text area, and typing would be lost.
      if (had && area) queueMicrotask(() => area.setSelectionRange(selectionStart, selectionEnd))
    }
  }, [modal, initialFocus])

  // When the focused element disappears, focus and Escape go to the page.
  useEffect(() => {
    if (modal) return
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && event.target === document.body) onEscape()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [modal, onEscape])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.preventDefault()
    event.stopPropagation()
    onEscape()
  }
  return (
    <dialog
      ref={dialog}
      className={`ui-dialog ui-dialog-${size}${modal ? '' : ' ui-dialog-inline'}`}
      aria-labelledby={id}
      aria-modal={modal || undefined}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onCancel={(event) => {
        if (event.target !== dialog.current) return
        event.preventDefault()
        onEscape()
      }}
      onClose={() => {
        // The browser closes a dialog when Escape comes twice, but only its owner may end it.
        if (!shown.current || dialog.current?.open) return
        dialog.current?.showModal()
        onEscape()
      }}
      onMouseDown={(event) => {
        if (event.target === dialog.current && modal) onOutside?.()
      }}
    >
      <div className="ui-dialog-head row">
        <div className="ui-dialog-heading grow">
          <h2 id={id}>{title}</h2>
          {speaker}
        </div>
        {corner}
        {closeLabel ? <IconButton label={closeLabel} icon={<CloseIcon />} onClick={onEscape} /> : null}
      </div>
      <div className="ui-dialog-body column-3">{props.children}</div>
      {props.footer ? <div className="ui-dialog-foot actions">{props.footer}</div> : null}
    </dialog>
  )
}

interface ConfirmDialogProps {
  readonly title: string
  readonly children: ReactNode
  /** The verb on the confirming button. */
  readonly confirm: string
  readonly danger?: boolean
  readonly onConfirm: (by: Granting) => void
  readonly onCancel: () => void
}

/** Asks before something that cannot be undone. Cancel has the focus. */
export function ConfirmDialog({ title, children, confirm, danger, onConfirm, onCancel }: ConfirmDialogProps) {
  const safe = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      title={title}
      size="small"
      onEscape={onCancel}
      onOutside={onCancel}
      initialFocus={safe}
      footer={
        <>
          <Button ref={safe} onClick={onCancel}>
            Cancel
          </Button>
          <GrantButton variant={danger ? 'danger' : 'primary'} onGrant={onConfirm}>
            {confirm}
          </GrantButton>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
