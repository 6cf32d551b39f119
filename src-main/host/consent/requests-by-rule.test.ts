import { describe, expect, it } from 'vitest'
import { chatHost } from '../../../e2e/test-hosts/chat-host.ts'
import type { PersonRule } from '../../../src-shared/contract/consent.ts'
import { PLAYGROUND_ID } from '../../../src-shared/contract/servers.ts'

const never = new AbortController().signal

/** A prompt that is named by an address. */
const NEWS = 'https://news.example/today'

async function withRule(rule: Partial<PersonRule> = {}) {
  const asked: string[] = []
  const answer = (method: string, result: object) => () => {
    asked.push(method)
    return result
  }
  const chat = await chatHost({
    capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
    answers: {
      'resources/list': () => ({ resources: [{ uri: 'note://1', name: 'one' }] }),
      'resources/templates/list': () => ({ resourceTemplates: [] }),
      'prompts/list': () => ({
        prompts: [
          { name: 'greet', arguments: [{ name: 'who' }] },
          { name: NEWS, arguments: [{ name: 'name' }] },
        ],
      }),
      'resources/read': answer('resources/read', { contents: [{ uri: 'note://1', text: 'Hello' }] }),
      'prompts/get': answer('prompts/get', { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }] }),
      'completion/complete': answer('completion/complete', { completion: { values: ['Ana'] } }),
    },
  })
  await chat.host.consent.rules.add({ effect: 'deny', serverId: PLAYGROUND_ID, powers: [], limits: [], ...rule })
  const { resources, prompts, completion } = chat.host.offerings
  const complete = (value: string) =>
    completion.complete(
      { serverId: PLAYGROUND_ID, of: { type: 'prompt', name: 'greet' }, argument: { name: 'who', value } },
      never,
    )
  return {
    chat,
    asked,
    complete,
    read: () => resources.read(PLAYGROUND_ID, 'note://1', never),
    prompt: () => prompts.get(PLAYGROUND_ID, 'greet', {}, never),
  }
}

describe('requests other than tool calls', () => {
  it('are denied by a rule about the server: reads, prompts, completions, sampling and folders', async () => {
    const { chat, asked, read, prompt, complete } = await withRule()
    const denied = { code: 'refused', message: expect.stringContaining('Your rule denies') }
    await expect(read()).rejects.toMatchObject(denied)
    await expect(prompt()).rejects.toMatchObject(denied)
    expect(await complete('A')).toMatchObject({ values: [], problem: { code: 'denied' } })
    const features = chat.host.features.of(PLAYGROUND_ID)
    const cause = { signal: never, candidates: [] }
    expect(await features.roots?.list(cause)).toEqual({ roots: [] })
    await expect(
      features.sampling?.createMessage(
        { messages: [{ role: 'user', content: { type: 'text', text: 'x' } }], maxTokens: 5 },
        cause,
      ),
    ).rejects.toThrow('The user’s rule denies sampling')
    expect(asked).toEqual([])
    expect(chat.host.state.snapshot.interactions).toEqual([])
    const { items } = await chat.storage.ledger.page({ limit: 20 })
    expect(items.map(({ tool, decision }) => [tool, decision])).toEqual([
      ['sampling/createMessage', 'denied-by-rule'],
      ['roots/list', 'denied-by-rule'],
      ['completion/complete', 'denied-by-rule'],
      ['prompts/get', 'denied-by-rule'],
      ['resources/read', 'denied-by-rule'],
    ])
  })

  it('continue where the rule names another request', async () => {
    const { asked, read, prompt, complete } = await withRule({ tool: 'resources/read' })
    await expect(read()).rejects.toMatchObject({ code: 'refused' })
    expect(await prompt()).toMatchObject({ prompt: 'greet' })
    expect(await complete('A')).toMatchObject({ values: ['Ana'] })
    expect(asked).toEqual(['prompts/get', 'completion/complete'])
  })

  it('send no typed text that looks like a key for completion', async () => {
    const { asked, complete } = await withRule({ tool: 'none' })
    expect(await complete('sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789')).toMatchObject({
      values: [],
      problem: { code: 'held' },
    })
    expect(asked).toEqual([])
  })

  it('are denied by the name of a prompt, even with an argument called “name”, and by that argument', async () => {
    const { chat, asked } = await withRule({ limits: [{ is: 'host', host: 'news.example' }] })
    const get = (prompt: string, given: Record<string, string>) =>
      chat.host.offerings.prompts.get(PLAYGROUND_ID, prompt, given, never)
    await expect(get(NEWS, { name: 'Ana' })).rejects.toMatchObject({ code: 'refused' })
    await expect(get(NEWS, {})).rejects.toMatchObject({ code: 'refused' })
    await expect(get('greet', { who: 'https://news.example/' })).rejects.toMatchObject({ code: 'refused' })
    expect(asked).toEqual([])
  })
})
