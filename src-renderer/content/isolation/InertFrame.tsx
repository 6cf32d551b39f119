import { useEffect, useRef } from 'react'
import { systemClock } from '../../../src-shared/base/clock.ts'
import type { FrameMessage, FrameSign, FrameTheme, ToFrame } from '../../frames/messages.ts'
import { renewFrames, useFrameGeneration } from './frames-in-page.ts'
import { heartbeat } from './heartbeat.ts'

export interface InertFrameProps<Content, Said> {
  /** Which of our documents, as frame-documents.ts serves it. */
  readonly path: 'pdf/index.html' | 'diagram/index.html' | 'preview/index.html'
  readonly className: string
  /** A description of the frame's content for people who cannot see it. */
  readonly title: string
  readonly theme: FrameTheme
  /** The document's content, given once: new content needs a new frame. */
  readonly content: Content
  /** Of whatever is heard, what this frame may say. */
  readonly read: (heard: FrameMessage, frame: unknown) => Said | FrameSign | undefined
  readonly onSaid?: (said: Said | FrameSign) => void
  /** It leaves half a minute of questions unanswered: take it away. */
  readonly onSilent: () => void
  readonly height?: number | undefined
}

/** A stranger's content in a document without an origin: it can draw into its box and post messages, nothing else. */
export function InertFrame<Content, Said>(props: InertFrameProps<Content, Said>) {
  const generation = useFrameGeneration()
  return generation === undefined ? null : <Frame key={generation} {...props} />
}

function Frame<Content, Said>(props: InertFrameProps<Content, Said>) {
  const { path, className, title, theme, content, height } = props
  const frame = useRef<HTMLIFrameElement>(null)
  const now = useRef(props)
  useEffect(() => {
    now.current = props
  })
  useEffect(() => {
    tell(frame.current, { is: 'theme', theme })
  }, [theme])

  useEffect(() => {
    const element = frame.current
    if (!element) return
    // It has longer than it gives a file: it says itself what went wrong, unless it cannot.
    const beat = heartbeat(
      systemClock,
      () => tell(element, { is: 'ping' }),
      () => {
        now.current.onSilent()
        renewFrames()
      },
    )
    const hear = (event: MessageEvent) => {
      const message = now.current.read(event, element.contentWindow)
      if (!message) return
      beat.heard()
      if (isSign(message, 'ready')) tell(element, { is: 'open', content, theme: now.current.theme })
      else if (isSign(message, 'leave')) leave(element)
      now.current.onSaid?.(message)
    }
    addEventListener('message', hear)
    return () => {
      removeEventListener('message', hear)
      beat.stop()
    }
  }, [content])
  return <iframe ref={frame} className={className} src={path} sandbox="allow-scripts" title={title} height={height} />
}

const isSign = <Said,>(message: Said | FrameSign, is: FrameSign['is']) =>
  typeof message === 'object' && message !== null && 'is' in message && message.is === is

/** An opaque origin has no name that a message could be addressed to; what is told is the frame's own. */
function tell<Content>(frame: HTMLIFrameElement | null, message: ToFrame<Content>): void {
  frame?.contentWindow?.postMessage(message, '*')
}

/** Escape in the frame means what it means around it. Only from there: a stranger's content presses no keys. */
function leave(frame: HTMLIFrameElement): void {
  if (document.activeElement !== frame) return
  frame.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))
}
