import { describe, expect, it } from 'vitest'
import { NASTY, TOO_LARGE } from '../../../e2e/support/nasty-schemas.ts'
import { chatHost, ECHO } from '../../../e2e/test-hosts/chat-host.ts'
import { PLAYGROUND_ID } from '../../../src-shared/contract/servers.ts'
import type { Tool } from '../../../src-shared/mcp/primitives.ts'

const tool = (name: string, inputSchema: object, more: Partial<Tool> = {}): Tool =>
  ({ name, description: name, inputSchema, ...more }) as Tool

describe('the page of a tool', () => {
  it('says for each provider how the tool is changed, and why it is not sent', async () => {
    const chat = await chatHost({
      tools: [
        ECHO,
        tool('list.apps', NASTY['brackets in names'] as object),
        tool('huge', TOO_LARGE['references that double'] as object),
      ],
    })
    await chat.host.providers.add({ kind: 'anthropic', name: 'Claude', models: [] })
    const read = (name: string) => chat.host.offerings.tools.page(PLAYGROUND_ID, name)
    expect(read('echo').sent).toBeUndefined()
    const [scripted, claude, ...others] = read('list.apps').sent ?? []
    expect(others).toEqual([])
    expect(scripted).toMatchObject({ provider: 'Scripted', name: 'playground__list_apps' })
    expect(scripted?.changes.join(' ')).not.toContain('filter')
    expect(claude).toMatchObject({ provider: 'Claude', name: 'playground__list_apps' })
    expect(claude?.changes).toContain('“filter[id]” is called “filter_id”.')
    const leftOut = expect.stringContaining('too large')
    expect(read('huge').sent).toMatchObject([
      { provider: 'Scripted', leftOut },
      { provider: 'Claude', leftOut },
    ])
  })

  it('shows a tool for views alone, which no model is offered (EXT-6)', async () => {
    const app = tool('for-app', { type: 'object' }, { _meta: { ui: { visibility: ['app'] } } })
    const both = tool('for-both', { type: 'object' }, { _meta: { ui: { visibility: ['model', 'app'], resourceUri: 'ui://x' } } })
    const odd = tool('odd', { type: 'object' }, { _meta: { ui: { visibility: 'app' } } })
    const chat = await chatHost({ tools: [both, odd], replies: [[{ call: 'for-app', args: {} }], ['No.']] })
    await chat.changeTools([app, both, odd])
    const id = await chat.say('go')
    await chat.idle(id)
    expect(chat.model.request(0).tools.map(({ name }) => name)).toEqual(['read_result', 'for-both', 'odd'])
    expect(await chat.call(id)).toMatchObject({ status: 'failed', problem: { code: 'unknown-tool' } })
    expect(chat.calls).toEqual([])
    const listed = chat.host.servers.catalogs.tools(PLAYGROUND_ID, {}).items
    expect(listed.map(({ name, appOnly }) => [name, appOnly])).toEqual([
      ['for-app', true],
      ['for-both', undefined],
      ['odd', undefined],
    ])
    expect(chat.host.offerings.tools.page(PLAYGROUND_ID, 'for-app')).toMatchObject({ entry: { appOnly: true } })
  })

  it('shows the server’s info with the ids of its extensions (EXT-4)', async () => {
    const chat = await chatHost({
      capabilities: { extensions: { 'io.modelcontextprotocol/ui': {}, 'com.example/x': {}, bad: {} } },
    })
    expect(chat.host.servers.catalogs.about(PLAYGROUND_ID)).toEqual({
      extensions: ['io.modelcontextprotocol/ui', 'com.example/x'],
    })
  })
})
