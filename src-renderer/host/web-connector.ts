import type { Clock } from '../../src-shared/base/clock.ts'
import { parseJson } from '../../src-shared/base/parse-json.ts'
import type { HostFrame, RendererChannel } from '../../src-shared/contract/channel.ts'
import type { HostConnector } from './host-link.ts'

const SESSION_KEY = 'parley-session'
/** Kept until the host has taken the token, so that a page that is reloaded meanwhile still has it. */
const TOKEN_KEY = 'parley-token'
const FIRST_WAIT = 250
const MAX_WAIT = 10_000
/** After this many refusals in a row by a host that still serves the page, the session is over. */
const REFUSALS = 2

/** Milliseconds before attempt `attempt` (from 0): doubles each time, less up to a quarter at random. */
export function backOff(attempt: number, random: number): number {
  const full = Math.min(MAX_WAIT, FIRST_WAIT * 2 ** attempt)
  return Math.round(full * (1 - random / 4))
}

/** Removes the one-time token from the address, so that no history keeps it. */
export function takeToken(page: Window): string | undefined {
  const token = /^#t=([\w.~-]+)$/.exec(page.location.hash)?.[1]
  if (token !== undefined) page.history.replaceState(null, '', page.location.pathname + page.location.search)
  return token
}

/** Stores the token of a link, with a new secret for the session that it buys. */
function keepToken(page: Window): void {
  const token = takeToken(page)
  if (token === undefined) return
  const bytes = page.crypto.getRandomValues(new Uint8Array(32))
  const secret = page
    .btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
  page.sessionStorage.setItem(SESSION_KEY, secret)
  page.sessionStorage.setItem(TOKEN_KEY, token)
}

/** Exchanges the token of a link for a session. Rejects when the host cannot be reached. */
export async function exchangeToken(page: Window): Promise<void> {
  keepToken(page)
  const token = page.sessionStorage.getItem(TOKEN_KEY)
  if (token === null) return
  const { ok } = await page.fetch('/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, secret: page.sessionStorage.getItem(SESSION_KEY) }),
  })
  page.sessionStorage.removeItem(TOKEN_KEY)
  if (!ok) page.sessionStorage.removeItem(SESSION_KEY)
}

function socketChannel(socket: WebSocket): RendererChannel {
  return {
    send(frame) {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame))
    },
    onFrame(listen) {
      const hear = (event: MessageEvent) => {
        // The host is of the same build; `contract` in the welcome says so.
        if (typeof event.data === 'string') listen(parseJson(event.data) as HostFrame)
      }
      socket.addEventListener('message', hear)
      return () => socket.removeEventListener('message', hear)
    },
  }
}

/** A WebSocket to the host that served this page; reconnects after a loss, waiting longer each time. */
export function webConnector(page: Window, clock: Clock): HostConnector {
  return {
    open(on) {
      let ended = false
      let attempt = 0
      let refusals = 0
      let stopWaiting = () => {}
      let socket: WebSocket | undefined

      const retry = () => {
        stopWaiting()
        if (ended) return
        stopWaiting = clock.after(backOff(attempt, Math.random()), begin)
        attempt += 1
      }
      const refused = async () => {
        // A refused socket gives no reason: a host that serves the page but not the socket does not know this session.
        const served = await page.fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
          (response) => response.ok,
          () => false,
        )
        refusals = served ? refusals + 1 : 0
        if (ended) return
        if (refusals < REFUSALS) return retry()
        page.sessionStorage.removeItem(SESSION_KEY)
        on.down('no-session')
      }
      const connect = () => {
        stopWaiting()
        const secret = page.sessionStorage.getItem(SESSION_KEY)
        if (ended || secret === null) {
          on.down('no-session')
          return
        }
        const opening = new WebSocket(`ws://${page.location.host}/channel`, ['parley.1', `session.${secret}`])
        socket = opening
        let opened = false
        opening.addEventListener('open', () => {
          opened = true
          attempt = 0
          refusals = 0
          on.channel(socketChannel(opening))
        })
        opening.addEventListener('close', () => {
          if (ended || socket !== opening) return
          on.down('lost')
          if (opened) retry()
          else void refused()
        })
      }
      const begin = () => {
        exchangeToken(page).then(connect, () => {
          on.down('lost')
          retry()
        })
      }
      // A fresh link opened in this same tab only changes the fragment.
      const onHash = () => {
        if (!page.location.hash.startsWith('#t=')) return
        const old = socket
        socket = undefined
        old?.close()
        begin()
      }
      const onOnline = () => {
        if (socket?.readyState === WebSocket.CLOSED && page.sessionStorage.getItem(SESSION_KEY) !== null) connect()
      }
      page.addEventListener('hashchange', onHash)
      page.addEventListener('online', onOnline)
      begin()
      return () => {
        ended = true
        stopWaiting()
        page.removeEventListener('hashchange', onHash)
        page.removeEventListener('online', onOnline)
        socket?.close()
      }
    },
  }
}
