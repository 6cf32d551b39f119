import { describe, expect, it } from 'vitest'
import { connectScripted, type ScriptedOptions, settled } from '../../e2e/servers/linked/connect-scripted.ts'

const modern = (capabilities: Record<string, unknown>, replies: ScriptedOptions['replies']) =>
  connectScripted({ modern: true, known: { era: 'modern', by: 'choice' }, capabilities, ...(replies && { replies }) })

const PROMPT = { type: 'ref/prompt', name: 'p' } as const

describe('a resource of a server without sessions', () => {
  it('may be empty and without a time to live: it is requested each time (V26-RES-3, V26-CACHE-3)', async () => {
    await using all = await modern({ resources: {} }, { 'resources/read': ({ uri }) => ({ contents: [], uri }) })
    for (const uri of ['a:1', 'a:1', 'a:2']) expect((await all.client.readResource(uri, all.options)).contents).toEqual([])
    expect(all.server.got('resources/read').map(({ params }) => params.uri)).toEqual(['a:1', 'a:1', 'a:2'])
  })

  it('with a web address is requested from the server (V26-RES-4)', async () => {
    const uri = 'https://example.invalid/a'
    await using all = await modern(
      { resources: {} },
      { 'resources/read': () => ({ contents: [{ uri, text: 'from the server' }] }) },
    )
    expect((await all.client.readResource(uri, all.options)).contents).toMatchObject([{ text: 'from the server' }])
  })
})

describe('completion by a server without sessions', () => {
  it('is asked for only where it was declared (V26-COMP-1)', async () => {
    await using all = await modern({ prompts: {} }, { 'completion/complete': () => ({ completion: { values: ['x'] } }) })
    const asked = all.client.complete(PROMPT, { name: 'a', value: '' }, undefined, all.options)
    await expect(asked).rejects.toMatchObject({ code: 'not-negotiated' })
    expect(all.server.got('completion/complete')).toEqual([])
  })

  it('is requested no more often than people type (V26-COMP-1)', async () => {
    const replies = { 'completion/complete': () => ({ completion: { values: [] } }) }
    await using all = await modern({ completions: {} }, replies)
    const asks = Array.from({ length: 30 }, (_, at) =>
      all.client.complete({ ...PROMPT, name: `p${at}` }, { name: 'a', value: '' }, undefined, all.options).catch(() => 'refused'),
    )
    await settled()
    all.clock.advance(150)
    expect((await Promise.all(asks)).filter((answer) => answer === 'refused')).toHaveLength(10)
  })

  it('gets the other arguments, waits while somebody types, and is remembered (V26-COMP-2)', async () => {
    const replies = { 'completion/complete': () => ({ completion: { values: ['x'] } }) }
    await using all = await modern({ completions: {} }, replies)
    const ask = (value: string) =>
      all.client.complete(PROMPT, { name: 'a', value }, { arguments: { b: '1' } }, all.options).catch(() => undefined)
    await ask('v')
    const typed = [ask('va'), ask('val')]
    await settled()
    expect(all.server.got('completion/complete')).toHaveLength(1)
    all.clock.advance(150)
    await Promise.all(typed)
    await ask('v')
    const sent = all.server.got('completion/complete').map(({ params }) => [params.argument.value, params.context])
    expect(sent).toEqual([
      ['v', { arguments: { b: '1' } }],
      ['val', { arguments: { b: '1' } }],
    ])
  })
})
