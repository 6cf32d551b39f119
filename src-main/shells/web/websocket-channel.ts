import type { WebSocket } from 'ws'
import { objectIn } from '../../../src-shared/base/parse-json.ts'
import type { HostChannel, RendererFrame } from '../../../src-shared/contract/channel.ts'

/** Close codes of RFC 6455. */
const NOT_JSON = 1007
const NOT_TEXT = 1003

/** A channel over the socket of a page with a session. A frame that is not a JSON object ends the connection. */
export function websocketChannel(socket: WebSocket): HostChannel {
  const listeners = new Set<(frame: RendererFrame) => void>()
  socket.on('message', (data, isBinary) => {
    if (isBinary) return socket.close(NOT_TEXT, 'frames are text')
    const frame = parse(String(data))
    if (!frame) return socket.close(NOT_JSON, 'a frame is one JSON object')
    for (const listen of [...listeners]) listen(frame)
  })
  return {
    send(frame) {
      if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(frame))
    },
    onFrame(listen) {
      listeners.add(listen)
      return () => {
        listeners.delete(listen)
      }
    },
    backlog: () => socket.bufferedAmount,
  }
}

/** Only checks the type; the bridge checks the rest. */
const parse = (text: string) => objectIn(text) as RendererFrame | undefined
