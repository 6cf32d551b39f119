import { useEffect, useRef } from 'react'
import { systemClock } from '../../../src-shared/base/clock.ts'
import { fromPdfFrame, type PdfFailure, type PdfTheme, type ToPdfFrame } from '../../pdf/messages.ts'
import { askToLeave } from '../../state/view-store.ts'
import { heartbeat } from './heartbeat.ts'

export type FrameFailure = PdfFailure | 'silent'

export interface PdfFrameProps {
  readonly bytes: ArrayBuffer
  readonly theme: PdfTheme
  /** What the frame shows, for those who cannot see it. */
  readonly title: string
  readonly onFailed: (why: FrameFailure) => void
}

/** A stranger's file in a document without an origin: it can draw into its box and post messages, nothing else. */
export function PdfFrame({ bytes, theme, title, onFailed }: PdfFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const now = useRef({ theme, onFailed })
  useEffect(() => {
    now.current = { theme, onFailed }
    tell(frame.current, { is: 'theme', theme })
  }, [theme, onFailed])

  useEffect(() => {
    const element = frame.current
    if (!element) return
    // It has longer than it gives a file: it says itself what went wrong, unless it cannot.
    const beat = heartbeat(
      systemClock,
      () => tell(element, { is: 'ping' }),
      () => now.current.onFailed('silent'),
    )
    const hear = (event: MessageEvent) => {
      const message = fromPdfFrame(event, element.contentWindow)
      if (!message) return
      beat.heard()
      if (message.is === 'ready') tell(element, { is: 'open', bytes, theme: now.current.theme })
      else if (message.is === 'failed') now.current.onFailed(message.why)
      // A click in the frame counts for the page around it, so a file alone cannot make questions appear.
      else if (message.is === 'link' && navigator.userActivation.isActive) askToLeave(message.url)
      else if (message.is === 'leave') leave(element)
    }
    addEventListener('message', hear)
    return () => {
      removeEventListener('message', hear)
      beat.stop()
    }
  }, [bytes])
  return <iframe ref={frame} className="content-pdf framed" src="pdf/index.html" sandbox="allow-scripts" title={title} />
}

/** An opaque origin has no name that a message could be addressed to; what is told is the frame's own. */
function tell(frame: HTMLIFrameElement | null, message: ToPdfFrame): void {
  frame?.contentWindow?.postMessage(message, '*')
}

/** Escape in the frame means what it means around it. Only from there: a file presses no keys. */
function leave(frame: HTMLIFrameElement): void {
  if (document.activeElement !== frame) return
  frame.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))
}
