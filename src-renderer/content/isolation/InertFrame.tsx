import { useEffect, useRef } from 'react'
import { systemClock } from '../../../src-shared/base/clock.ts'
import type { FrameMessage, FrameSign, FrameTheme, ToFrame } from '../../frames/messages.ts'
import { renewFrames, useFrameGeneration } from './frames-in-page.ts'
import { heartbeat } from './heartbeat.ts'

interface InertFrameProps<Content, Said> {
  /** One of our documents, which frame-documents.ts serves. */
  readonly path: 'pdf/index.html' | 'diagram/index.html' | 'preview/index.html'
  readonly className: string
  /** The accessible name. */
  readonly title: string
  readonly theme: FrameTheme
  /** Given once: new content needs a new frame. */
  readonly content: Content
  /** Checks a message; undefined unless this frame may send it. */
  readonly read: (heard: FrameMessage, frame: unknown) => Said | FrameSign | undefined
  readonly onSaid?: (said: Said | FrameSign) => void
  /** Called when the frame was silent for half a minute. Remove it then. */
  readonly onSilent: () => void
  readonly height?: number | undefined
}

/** Shows a stranger's content in a document without an origin, which can only draw into its box and post messages. */
export function InertFrame<Content, Said>(props: InertFrameProps<Content, Said>) {
  const generation = useFrameGeneration()
  return generation === undefined ? null : <Frame key={generation} {...props} />
}

function Frame<Content, Said>(props: InertFrameProps<Content, Said>) {
  const { path, className, title, theme, content, height } = props
  const frame = useRef<HTMLIFrameElement>(null)
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  useEffect(() => {
    tell(frame.current, { is: 'theme', theme })
  }, [theme])

  useEffect(() => {
    const element = frame.current
    if (!element) return
    // The frame reports its own failures sooner, unless it is too busy to.
    const beat = heartbeat(
      systemClock,
      () => tell(element, { is: 'ping' }),
      () => {
        latest.current.onSilent()
        renewFrames()
      },
    )
    const hear = (event: MessageEvent) => {
      const message = latest.current.read(event, element.contentWindow)
      if (!message) return
      beat.heard()
      if (isSign(message, 'ready')) tell(element, { is: 'open', content, theme: latest.current.theme })
      else if (isSign(message, 'leave')) leave(element)
      latest.current.onSaid?.(message)
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

/** An opaque origin cannot be addressed; the message holds only this frame's content. */
function tell<Content>(frame: HTMLIFrameElement | null, message: ToFrame<Content>): void {
  frame?.contentWindow?.postMessage(message, '*')
}

/** Escape in the frame works as in the page, but only while the frame has the focus: its content cannot press keys. */
function leave(frame: HTMLIFrameElement): void {
  if (document.activeElement !== frame) return
  frame.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))
}
