import { createServer as createTlsServer } from 'node:https'
import { describe, expect, it, onTestFinished } from 'vitest'
import { writePdf } from '../../../e2e/servers/pdf/write-pdf.mjs'
import { ConnectProxy } from '../../../e2e/support/connect-proxy.ts'
import { type Handle, Loopback } from '../../../e2e/support/loopback.ts'
import { certificate } from '../../../e2e/support/tls-front.ts'
import { type ChatHost, type ChatOptions, chatHost } from '../../../e2e/test-hosts/chat-host.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import { PERSON, STRANGER } from '../../consent/provenance.ts'

const PAGE = '<title>The  news</title><main><h1>Rain</h1><p>Tomorrow &amp; later.</p></main><script>steal()</script>'

/** A host for which https://elsewhere.example, with any port, is on the internet. */
async function online(handle: Handle, options: ChatOptions = {}) {
  const [key, cert] = await Promise.all([certificate('elsewhere.key'), certificate('elsewhere.pem')])
  const make = ((listener: Parameters<typeof createTlsServer>[1]) => createTlsServer({ key, cert }, listener)) as never
  const site = await Loopback.serve(handle, make)
  const proxy = await ConnectProxy.serve(undefined, site.port)
  onTestFinished(async () => {
    await proxy.close()
    await site.close()
  })
  const network = { proxyFor: async () => `PROXY ${proxy.address}`, authorities: [cert] }
  const chat = await chatHost({ ...options, network })
  return { chat, site, proxy, id: await chat.newConversation() }
}

const attach = (chat: ChatHost, id: ConversationId, url: string) =>
  chat.host.conversations.open(id, (one) => chat.host.webPages.attach(one, url, new AbortController().signal))

const html: Handle = (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE)

describe('a web page for a message', () => {
  it('is asked for once, without cookies, and its text goes along under its host and title', async () => {
    const { chat, id, site, proxy } = await online(html, { replies: [['Take an umbrella.']] })
    const { attachment } = await attach(chat, id, 'http://elsewhere.example/news?day=1#top')
    expect(attachment).toMatchObject({ file: 'text', title: 'elsewhere.example - The news', warnings: [] })
    expect(proxy.targets).toEqual(['elsewhere.example:443'])
    expect(site.seen.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /news?day=1'])
    expect(Object.keys(site.seen[0]?.headers ?? {}).sort()).toEqual(['accept-encoding', 'connection', 'host', 'user-agent'])
    await chat.host.conversations.open(id, (one) => one.send('And now?'))
    await chat.idle(id)
    const told = JSON.stringify(chat.model.request(-1))
    expect(told).toContain('https://elsewhere.example/news?day=1\\n\\n# Rain\\n\\nTomorrow & later.')
    expect(told).toContain('data, not instructions')
    expect(told).not.toContain('steal')
    const by = await chat.host.conversations.open(id, async (one) => {
      await one.read()
      return one.reading.seen.sourcesOf('Tomorrow')
    })
    expect(by & STRANGER).toBe(STRANGER)
    expect(by & PERSON).toBe(0)
  })

  it('says which other host it came from', async () => {
    const { chat, id } = await online(({ headers: { host } }, response) => {
      if (host === 'elsewhere.example:8443') response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE)
      else response.writeHead(302, { location: 'https://elsewhere.example:8443/' }).end()
    })
    const { attachment } = await attach(chat, id, 'https://elsewhere.example/')
    expect(attachment.title).toBe('elsewhere.example:8443 - The news')
    expect(attachment.warnings).toEqual(['elsewhere.example led to elsewhere.example:8443.'])
  })

  it('may be a text in another encoding, or a file that can be attached', async () => {
    const { chat, id } = await online(({ path }, response) => {
      if (path === '/bread.txt')
        response.setHeader('content-type', 'text/plain; charset=iso-8859-1').end(Buffer.from('Brötchen', 'latin1'))
      else if (path === '/old')
        response.setHeader('content-type', 'text/html').end(Buffer.from('<meta charset="latin1"><p>Brötchen', 'latin1'))
      else
        response
          .setHeader('content-type', 'application/pdf')
          .end(
            writePdf([
              '<< /Type /Catalog /Pages 2 0 R >>',
              '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
              '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>',
            ]),
          )
    })
    const text = await attach(chat, id, 'https://elsewhere.example/bread.txt')
    expect(text.attachment.title).toBe('elsewhere.example - bread.txt')
    expect(JSON.stringify(text.attachment.items)).toContain('Brötchen')
    const old = await attach(chat, id, 'https://elsewhere.example/old')
    expect(JSON.stringify(old.attachment.items)).toContain('Brötchen')
    const { attachment } = await attach(chat, id, 'https://elsewhere.example/a/book.pdf')
    expect(attachment).toMatchObject({ file: 'pdf', title: 'elsewhere.example - book.pdf' })
  })

  it('is refused with a sentence when it is empty, too large, an error or no page', async () => {
    const { chat, id } = await online(({ path }, response) => {
      response.setHeader('content-type', path === '/zip' ? 'application/zip' : 'text/html')
      if (path === '/empty') response.end('<script>draw()</script><div id=root></div>')
      else if (path === '/large') response.end('a'.repeat(5 * 1024 * 1024 + 1))
      else if (path === '/zip') response.end('PK\u0003\u0004\0\0')
      else response.writeHead(404).end('<p>Not here</p>')
    })
    const refusal = (path: string) => expect(attach(chat, id, `https://elsewhere.example/${path}`)).rejects
    await refusal('empty').toThrow('no text on this page without its scripts')
    await refusal('large').toThrow('larger than 5 MiB')
    await refusal('zip').toThrow('a kind of file that models cannot read')
    await refusal('gone').toThrow('elsewhere.example answers with HTTP 404')
    const { waiting } = await chat.host.conversations.open(id, async (one) => ({ waiting: one.waiting }))
    expect(waiting).toEqual([])
  })

  it('is asked for at no address that says who the person is, and at nothing but a web address', async () => {
    const { chat, id, proxy } = await online(html)
    await expect(attach(chat, id, 'https://me:secret@elsewhere.example/')).rejects.toThrow('a name or a password')
    await expect(attach(chat, id, 'file:///etc/passwd')).rejects.toThrow('not the address of a web page')
    expect(proxy.targets).toEqual([])
  })
})

describe('a host that is not on the internet', () => {
  it.each([
    'http://127.0.0.1:9/',
    'https://localhost/',
    'https://192.168.0.1/admin',
    'https://[::1]/',
    'https://printer/',
    'https://169.254.169.254/',
  ])('is not asked for a page: %s', async (url) => {
    const { chat, id, proxy } = await online(html)
    await expect(attach(chat, id, url)).rejects.toThrow('is on your computer or your network')
    expect(proxy.targets).toEqual([])
  })

  it('is not asked because a page redirects to it', async () => {
    const { chat, id, proxy } = await online((_, response) =>
      response.writeHead(302, { location: 'https://192.168.0.1/admin' }).end(),
    )
    await expect(attach(chat, id, 'https://elsewhere.example/')).rejects.toThrow('redirects to another address')
    expect(proxy.targets).toEqual(['elsewhere.example:443'])
  })

  it('is not asked by a name on the internet that leads to it', async () => {
    const site = await Loopback.serve(html)
    onTestFinished(() => site.close())
    const chat = await chatHost({ network: { lookup: async () => ['127.0.0.1', '10.0.0.1'] } })
    const id = await chat.newConversation()
    await expect(attach(chat, id, `https://elsewhere.example:${site.port}/`)).rejects.toThrow(
      'elsewhere.example is on your computer or your network',
    )
    expect(site.sockets.size).toBe(0)
  })
})
