import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { DamagedChoice } from '../damaged-choice.ts'

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}
const STYLE =
  ':root{color-scheme:light dark;font:1rem/1.5 system-ui}body{max-width:40rem;margin:15vh auto;padding:0 1rem}p{overflow-wrap:anywhere}button{font:inherit;padding:.4rem .8rem}'

/**
 * Asks for the replacement of an unreadable database on a page on 127.0.0.1 with a secret path; `onLink` gets its address. True when
 * the person chooses to start; rejects when `signal` aborts.
 */
export function askOnPage(
  asked: DamagedChoice,
  port: number,
  onLink: (link: string) => void,
  signal: AbortSignal,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const secret = randomBytes(32).toString('base64url')
    const server = createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (request, response) => {
      const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
      const decision = decisionOf(request, secret)
      const isOurs = request.headers.host === host && decision !== undefined
      const isPosted = request.method === 'POST'
      // Another site can make a browser post, but not with this origin.
      if (!isOurs || (isPosted && request.headers.origin !== `http://${host}`)) {
        response.writeHead(404, HEADERS).end(page('Not found', ''))
        return
      }
      if (!isPosted || decision === 'ask') {
        response.writeHead(200, HEADERS).end(questionPage(asked, secret))
        return
      }
      const outcome = decision === 'start' ? 'Parley is starting in a new page.' : 'Parley has quit. Nothing was changed.'
      response.writeHead(200, HEADERS).end(page(outcome, '<p>You can close this one.</p>'), () => {
        server.close(() => resolve(decision === 'start'))
        server.closeAllConnections()
      })
    })
    server.maxConnections = 32
    server.once('error', reject)
    signal.addEventListener('abort', () => {
      server.closeAllConnections()
      server.close(() => reject(signal.reason))
    })
    server.listen(port, '127.0.0.1', () => onLink(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${secret}`))
  })
}

function decisionOf({ url = '' }: IncomingMessage, secret: string): 'ask' | 'start' | 'quit' | undefined {
  const [, given = '', what = 'ask', ...more] = url.split('/')
  const [one, other] = [Buffer.from(given), Buffer.from(secret)]
  if (more.length > 0 || one.length !== other.length || !timingSafeEqual(one, other)) return undefined
  return what === 'ask' || what === 'start' || what === 'quit' ? what : undefined
}

function questionPage({ title, detail, start }: DamagedChoice, secret: string): string {
  const paragraphs = detail.split('\n\n').map((text) => `<p>${escaped(text)}</p>`)
  const button = (to: string, words: string) =>
    `<form method="post" action="/${secret}/${to}" style="display:inline"><button>${escaped(words)}</button></form>`
  return page(title, `${paragraphs.join('')}<p>${button('start', start)} ${button('quit', 'Quit')}</p>`)
}

function page(title: string, body: string): string {
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><style>${STYLE}</style>`
  return `<!doctype html><html lang="en"><head>${head}</head><body><main><h1>${escaped(title)}</h1>${body}</main></body></html>`
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
