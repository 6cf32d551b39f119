import type { FrameSign, FrameTheme, ToFrame } from './messages.ts'

interface FrameHandlers<Content> {
  open(content: Content): void
  onTheme?(): void
}

/** The embedding page gave this content, so any origin may read the message. */
export const tellPage = <Said>(message: FrameSign | Said) => parent.postMessage(message, '*')

/** Starts a document without an origin, that reaches nothing but its parent and shows one content in its life. */
export function beginFrame<Content>(handlers: FrameHandlers<Content>): void {
  let opened = false
  addEventListener('message', (event) => {
    if (event.source !== parent) return
    // The content policy lets only our own page embed this document.
    const message = event.data as ToFrame<Content>
    switch (message.is) {
      case 'open':
        if (opened) return
        opened = true
        setTheme(message.theme)
        return handlers.open(message.content)
      case 'theme':
        setTheme(message.theme)
        return handlers.onTheme?.()
      case 'ping':
        return tellPage({ is: 'pong' })
    }
  })
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented) tellPage({ is: 'leave' })
  })
  tellPage({ is: 'ready' })
}

function setTheme(theme: FrameTheme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}
