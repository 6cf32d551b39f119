import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { LoopbackRedirect } from './loopback-redirect.ts'

async function opened(): Promise<LoopbackRedirect> {
  const redirect = await LoopbackRedirect.open(0)
  onTestFinished(() => redirect.close())
  redirect.expect(
    (answer) => (answer.get('state') === 'right' ? undefined : 'wrong state'),
    () => {},
  )
  return redirect
}

/** A request as something else than a browser can make it. */
function ask(url: string, options: { method?: string; headers?: Record<string, string> }): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.on('error', reject)
    sent.end()
  })
}

describe('The address the browser returns to', () => {
  it('is on this computer, takes one answer, says that the tab can be closed, and is gone (AUTH-11)', async () => {
    const redirect = await opened()
    expect(redirect.uri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/)
    const response = await fetch(`${redirect.uri}?code=abc&state=right`)
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    const text = await response.text()
    expect(text).toContain('You can close this tab')
    expect(text).not.toContain('abc')
    expect((await redirect.received).get('code')).toBe('abc')
    await expect(fetch(`${redirect.uri}?code=abc&state=right`)).rejects.toThrow()
  })

  it.each(['?code=abc', '?code=abc&state=wrong', '?error=access_denied', ''])(
    'discards an answer without our state, and waits on: “%s” (AUTH-10)',
    async (query) => {
      const redirect = await opened()
      const response = await fetch(redirect.uri + query)
      expect(response.status).toBe(400)
      expect(await response.text()).toContain('not the expected answer')
      await fetch(`${redirect.uri}?code=mine&state=right`)
      expect((await redirect.received).get('code')).toBe('mine')
    },
  )

  it('ignores everything but a page visit: other paths, names, methods and subresources', async () => {
    const redirect = await opened()
    const good = `${redirect.uri}?code=abc&state=right`
    expect(await ask(good.replace('/callback', '/other'), {})).toBe(404)
    expect(await ask(good, { headers: { host: 'evil.example' } })).toBe(404)
    expect(await ask(good, { method: 'POST' })).toBe(405)
    expect(await ask(good, { headers: { 'sec-fetch-dest': 'image' } })).toBe(405)
    expect(await ask(`${good}&x=${'x'.repeat(20_000)}`, {})).toBe(404)
    expect(await ask(good, { headers: { 'sec-fetch-dest': 'document' } })).toBe(200)
  })

  it('can be pasted instead, and a wrong one is explained', async () => {
    const redirect = await opened()
    expect(redirect.paste('https://elsewhere.example/callback?code=a&state=right')).toContain(redirect.uri)
    expect(redirect.paste('nonsense')).toContain(redirect.uri)
    expect(redirect.paste(`${redirect.uri}?code=a&state=wrong`)).toBe('wrong state')
    expect(redirect.paste(`  ${redirect.uri}?code=a&state=right\n`)).toBeUndefined()
    expect((await redirect.received).get('code')).toBe('a')
  })

  it('uses another port when the usual one is taken', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      taken.close()
    })
    const { port } = taken.address() as AddressInfo
    const redirect = await LoopbackRedirect.open(port)
    onTestFinished(() => redirect.close())
    expect(new URL(redirect.uri).port).not.toBe(String(port))
  })
})
