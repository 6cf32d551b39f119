import { type IpcMainEvent, ipcMain, type WebContents } from 'electron'
import { objectIn } from '../../../src-shared/base/parse-json.ts'
import type { HostChannel, RendererFrame } from '../../../src-shared/contract/channel.ts'
import { PAGE_ORIGIN } from './page-scheme.ts'

const CHANNEL = 'parley'
/** In UTF-16 units, as in the web shell. */
const MAX_FRAME = 1024 * 1024

interface IpcChannel extends HostChannel {
  close(): void
}

/** A channel to one document. Accepts frames only from this window's main frame while it shows our page. */
export function ipcChannel(contents: WebContents): IpcChannel {
  const listeners = new Set<(frame: RendererFrame) => void>()
  let unread = 0
  const hear = (event: IpcMainEvent, message: unknown) => {
    if (!fromOurPage(event, contents)) return
    if (typeof message === 'number') {
      if (message > 0) unread = Math.max(0, unread - message)
      return
    }
    const frame = parse(message)
    if (frame) for (const listen of [...listeners]) listen(frame)
  }
  ipcMain.on(CHANNEL, hear)
  return {
    send(frame) {
      if (contents.isDestroyed() || contents.isCrashed()) return
      const text = JSON.stringify(frame)
      unread += text.length
      contents.send(CHANNEL, text)
    },
    onFrame(listen) {
      listeners.add(listen)
      return () => {
        listeners.delete(listen)
      }
    },
    backlog: () => unread,
    close() {
      ipcMain.off(CHANNEL, hear)
      listeners.clear()
    },
  }
}

function fromOurPage(event: IpcMainEvent, contents: WebContents): boolean {
  const frame = event.senderFrame
  // A destroyed frame must not be read.
  if (event.sender !== contents || frame === null || frame.isDestroyed()) return false
  return frame === contents.mainFrame && frame.url.startsWith(`${PAGE_ORIGIN}/`)
}

/** Only checks size and type; the bridge checks the rest. */
function parse(message: unknown): RendererFrame | undefined {
  if (typeof message !== 'string' || message.length > MAX_FRAME) return undefined
  return objectIn(message) as RendererFrame | undefined
}
