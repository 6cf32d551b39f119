import { describe, expect, it, onTestFinished } from 'vitest'
import { type ModelApi, type ModelReply, startModelApi } from '../../../e2e/support/model-api.ts'
import { pngOf } from '../../../e2e/support/pictures.ts'
import { costOverIdeal, PromptCache } from '../../../e2e/support/prompt-cache.ts'
import { until } from '../../../e2e/support/until.ts'
import { type ChatHost, chatHost, ECHO } from '../../../e2e/test-hosts/chat-host.ts'
import type { Tool } from '../../../src-shared/mcp/primitives.ts'

const LONG = Array.from({ length: 8_000 }, (_, at) => `line ${at}`).join('\n')
const PICTURE = pngOf({ width: 2200, height: 700 }).toString('base64')
const TOOLS: readonly Tool[] = ['work', 'walk', 'rest'].map((name) => ({ ...ECHO, name }))
const ROUNDS = 15
/** Calls of a round at once; more than twenty blocks come of it. */
const MANY = 14

const KINDS = [
  { kind: 'anthropic', model: 'claude-sonnet-5-5' },
  { kind: 'openai', model: 'gpt-5' },
  { kind: 'openai-compatible', model: 'gpt-5' },
] as const

async function serve(answer: (round: number, body: Record<string, unknown>) => ModelReply): Promise<ModelApi> {
  const api = await startModelApi(({ body }, n) => answer(n, body))
  onTestFinished(() => api.close())
  return api
}

let calls = 0
const call = (step: number, n = 0) => ({ name: 'work', arguments: JSON.stringify({ step, n }), id: `call-${calls++}` })

/** Fifteen rounds in which everything happens that has moved a prompt before. */
function workingReply(step: number): ModelReply {
  if (step === ROUNDS - 1) return { text: 'All done.' }
  if (step === 5) return { thinking: 'Much to do.', calls: Array.from({ length: MANY }, (_, n) => call(step, n)) }
  return { ...(step === 4 && { thinking: 'Hm.' }), text: `Step ${step}.`, calls: [call(step)] }
}

/** Runs the turn over the API; what the tool gives is long once, a large picture once, and once the list of tools changes its order. */
async function work(api: ModelApi, { kind, model }: (typeof KINDS)[number]): Promise<ChatHost> {
  const content = async (step: number) => {
    if (step === 2) return { type: 'text', text: LONG }
    if (step === 3) return { type: 'image', data: PICTURE, mimeType: 'image/png' }
    if (step === 7) await chat.changeTools([...TOOLS].reverse())
    return { type: 'text', text: `What came of step ${step}: ${'words '.repeat(200)}` }
  }
  const chat = await chatHost({
    api: { kind, model, url: api.url },
    tools: TOOLS,
    onCall: async (params) => ({ content: [await content(Number((params.arguments as { step: number }).step))] }),
  })
  const id = await chat.say('Work through it, please.')
  await chat.answer('conversation')
  await chat.idle(id)
  return chat
}

/** The prefix that a provider's cache compares, in its order; breakpoints are no part of it. */
function promptOf(body: Record<string, unknown>): { head: string; history: string } {
  const plain = (value: unknown) => JSON.stringify(value, (key, member) => (key === 'cache_control' ? undefined : member)) ?? ''
  const history = plain(body.messages ?? body.input)
  return { head: plain([body.tools, body.system, body.instructions]), history: history.slice(0, -1) }
}

function expectPrefixes(api: ModelApi): void {
  const prompts = api.requests.map(({ body }) => promptOf(body))
  for (const [at, prompt] of prompts.slice(1).entries()) {
    expect(prompt.head, `tools and instructions of request ${at + 1}`).toBe(prompts[at]?.head)
    expect(prompt.history.startsWith(prompts[at]?.history ?? '?'), `the history of request ${at + 1}`).toBe(true)
  }
}

describe.each(KINDS)('a prompt over $kind', (served) => {
  it('begins with the one before it in each request of a turn, to the byte', async () => {
    const api = await serve(workingReply)
    await work(api, served)
    expect(api.requests).toHaveLength(ROUNDS)
    expectPrefixes(api)
    const last = JSON.stringify(api.requests.at(-1)?.body)
    for (const note of ['given in part', 'made smaller for you']) expect(last.includes(note), note).toBe(true)
  })

  it('begins with the earlier one when a stopped turn continues', async () => {
    let release = () => {}
    const hold = new Promise<void>((resolve) => {
      release = resolve
    })
    onTestFinished(() => release())
    const api = await serve((n) =>
      n === 1 ? { text: 'Half of ', hold } : n > 3 ? { text: 'Done.' } : { text: `Step ${n}.`, calls: [call(n)] },
    )
    const chat = await chatHost({ api: { ...served, url: api.url }, tools: TOOLS })
    const id = await chat.newConversation()
    const window = await chat.follow(id)
    await chat.host.conversations.open(id, (one) => one.send('Go'))
    await chat.answer('conversation')
    await until(() => window.text.includes('Half'), 'the words')
    await chat.host.conversations.open(id, (one) => one.cancel())
    await chat.host.conversations.open(id, (one) => one.retry())
    await chat.idle(id)
    expect(api.requests).toHaveLength(5)
    expectPrefixes(api)
  })

  it('reports how much of it came from the cache', async () => {
    const api = await serve(() => ({ text: 'Hello.', prompt: { plain: 20, read: 3000, written: 100 } }))
    const chat = await chatHost({ api: { ...served, url: api.url } })
    const id = await chat.say('Hi')
    await chat.idle(id)
    const { messages } = await chat.storage.messages.transcript(id)
    expect(messages.at(-1)?.message.usage).toMatchObject({ input: 3120, output: 34, cacheRead: 3000 })
    if (served.kind === 'anthropic') expect(messages.at(-1)?.message.usage).toMatchObject({ cacheWrite: 100 })
  })
})

describe('the cost of a turn at Anthropic', () => {
  it('is within a twentieth of ideal breakpoints, of which at most four are set', async () => {
    const api = await serve(workingReply)
    await work(api, KINDS[0])
    const bodies = api.requests.map(({ body }) => body)
    const { cost, ideal, ratio } = costOverIdeal(bodies)
    expect(cost).toBeGreaterThanOrEqual(ideal)
    expect(ratio).toBeLessThanOrEqual(1.05)
  })

  it('stays low in the next turn, with twenty blocks between', async () => {
    const api = await serve((n) => workingReply(n % ROUNDS))
    const chat = await work(api, KINDS[0])
    const id = chat.host.state.snapshot.conversations[0]?.id
    if (!id) throw new Error('no conversation')
    await chat.host.conversations.open(id, (one) => one.send('And once more.'))
    await chat.idle(id)
    expect(api.requests).toHaveLength(2 * ROUNDS)
    expect(costOverIdeal(api.requests.map(({ body }) => body)).ratio).toBeLessThanOrEqual(1.05)
  })

  it('falls back to the start of the last turn when older thoughts leave the cache', async () => {
    const api = await serve((n) => (n === 0 ? { thinking: 'Hm.', text: 'First.', calls: [call(0)] } : { text: 'Done.' }))
    const chat = await chatHost({ api: { ...KINDS[0], url: api.url }, tools: TOOLS })
    const id = await chat.say(`Read this: ${'words '.repeat(2_000)}`)
    await chat.answer('conversation')
    await chat.idle(id)
    await chat.host.conversations.open(id, (one) => one.send('And now?'))
    await chat.idle(id)
    const cache = new PromptCache()
    const requests = api.requests.map(({ body }) => body as never)
    for (const request of requests.slice(0, -1)) cache.bill(request)
    const last = structuredClone(requests.at(-1)) as unknown as { messages: { role: string; content: { type: string }[] }[] }
    for (const message of last.messages) message.content = message.content.filter(({ type }) => type !== 'thinking')
    expect(cache.bill(last as never).read).toBeGreaterThan(2_000)
  })
})
