import type { Clock } from '../../src-shared/base/clock.ts'
import { isObject } from '../../src-shared/base/json.ts'
import { parseJson } from '../../src-shared/base/parse-json.ts'
import type { HostFrame, RendererFrame } from '../../src-shared/contract/channel.ts'
import type { HostConnector } from './host-link.ts'
import { webConnector } from './web-connector.ts'

/** Set on the window by the preload script of the desktop shell. */
interface PreloadChannel {
  send(text: string): void
  onFrame(listen: (text: string) => void): void
}

function preloadChannel(page: Window): PreloadChannel | undefined {
  const found: unknown = Reflect.get(page, 'parleyChannel')
  if (!isObject(found) || typeof found.send !== 'function' || typeof found.onFrame !== 'function') return undefined
  // Both functions were just checked, and the preload script is part of this build.
  return found as unknown as PreloadChannel
}

/** The channel of the desktop shell if there is one, else the socket of the web shell. */
export function findConnector(page: Window, clock: Clock): HostConnector {
  const preload = preloadChannel(page)
  return preload ? desktopConnector(preload) : webConnector(page, clock)
}

function desktopConnector(preload: PreloadChannel): HostConnector {
  return {
    open(on) {
      const listeners = new Set<(frame: HostFrame) => void>()
      preload.onFrame((text) => {
        // Frames come from the host of the same build; `contract` in the welcome says so.
        const frame = parseJson(text) as HostFrame
        for (const listen of listeners) listen(frame)
      })
      on.channel({
        send: (frame: RendererFrame) => preload.send(JSON.stringify(frame)),
        onFrame(listen) {
          listeners.add(listen)
          return () => listeners.delete(listen)
        },
      })
      return () => listeners.clear()
    },
  }
}
