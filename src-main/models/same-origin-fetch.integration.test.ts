import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createProvider } from './create-provider.ts'
import type { ModelError } from './model-provider.ts'

const KINDS = ['anthropic', 'openai', 'openai-compatible'] as const

/** A server that redirects, as `to` says, or else refuses every key; and what reached it. */
async function serve(to: (path: string) => { status: number; location: string } | undefined) {
  const got: { path: string; text: string }[] = []
  const server = createServer(async (message, response) => {
    let text = ''
    for await (const chunk of message) text += chunk
    const path = message.url ?? ''
    got.push({ path, text })
    const there = to(path)
    if (there) return response.writeHead(there.status, { location: there.location }).end()
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":{"message":"no such key"}}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, got }
}

async function failure(kind: (typeof KINDS)[number], baseUrl: string): Promise<ModelError> {
  const provider = createProvider(kind, { name: 'Mine', baseUrl, key: 'sk-test-canary', retries: 0 })
  const request = {
    ...{ model: 'gpt-5', system: '', tools: [] },
    messages: [{ role: 'user', content: [{ type: 'text', text: 'a secret' }] }],
  } as const
  try {
    for await (const _delta of provider.stream(request, new AbortController().signal));
  } catch (error) {
    return error as ModelError
  }
  throw new Error('it answered')
}

describe.each(KINDS)('a redirect of %s', (kind) => {
  it.each([302, 307, 308])('with HTTP %i to another origin is not followed, and both are named', async (status) => {
    const thief = await serve(() => undefined)
    const api = await serve((path) => ({ status, location: `${thief.url}${path}` }))
    const error = await failure(kind, api.url)
    expect(thief.got).toEqual([])
    expect(error).toMatchObject({ name: 'ModelError', code: 'redirected' })
    expect(error.message).toContain(api.url)
    expect(error.message).toContain(thief.url)
    expect(error.todo).toContain('address')
  })

  it('within the origin is followed with all that was sent', async () => {
    const api = await serve((path) =>
      path.startsWith('/old') ? { status: 307, location: path.slice('/old'.length) } : undefined,
    )
    expect(await failure(kind, `${api.url}/old`)).toMatchObject({ code: 'unauthorized' })
    expect(api.got).toHaveLength(2)
    expect(api.got[1]?.text).toContain('a secret')
    expect(api.got[1]?.text).toBe(api.got[0]?.text)
  })

  it('that leads in a circle is given up', async () => {
    const api = await serve((path) => ({ status: 308, location: path }))
    expect(await failure(kind, api.url)).toMatchObject({ code: 'redirected' })
    expect(api.got.length).toBeLessThan(10)
  })
})

describe('a list of models', () => {
  it.each(KINDS)('of %s is not fetched from another origin', async (kind) => {
    const thief = await serve(() => undefined)
    const api = await serve((path) => ({ status: 302, location: `${thief.url}${path}` }))
    const provider = createProvider(kind, { name: 'Mine', baseUrl: api.url, key: 'sk-test-canary', retries: 0 })
    await expect(provider.listModels(new AbortController().signal)).rejects.toMatchObject({ code: 'redirected' })
    expect(thief.got).toEqual([])
  })
})
