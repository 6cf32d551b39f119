import type { FrameSign, FrameTheme, ToFrame } from './messages.ts'

/** The work of a document in a frame. */
export interface FrameWork<Content> {
  /** Called once. */
  open(content: Content): void
  /** Called when the theme changes, after it was set. */
  onTheme?(): void
}

/** An embedding page learns no more than it gave, so no target origin is named. */
export const tellPage = <Said>(message: FrameSign | Said) => parent.postMessage(message, '*')

/** Begins a document that has no origin, reaches nothing but its parent, and holds one content in its life. */
export function beginFrame<Content>(work: FrameWork<Content>): void {
  let opened = false
  addEventListener('message', (event) => {
    if (event.source !== parent) return
    // Our own page is the only one that may embed this document.
    const message = event.data as ToFrame<Content>
    switch (message.is) {
      case 'open':
        if (opened) return
        opened = true
        setTheme(message.theme)
        return work.open(message.content)
      case 'theme':
        setTheme(message.theme)
        return work.onTheme?.()
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
