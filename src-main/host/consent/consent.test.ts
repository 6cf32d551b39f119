import { describe, expect, it } from 'vitest'
import { until } from '../../../e2e/support/until.ts'
import { type ChatHost, chatHost, ECHO } from '../../../e2e/test-hosts/chat-host.ts'
import { type Clock, systemClock } from '../../../src-shared/base/clock.ts'
import type { Power, ToldTool } from '../../../src-shared/contract/consent.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import { PLAYGROUND_ID, toolHints } from '../../../src-shared/contract/servers.ts'
import { DEFAULT_SETTINGS } from '../../../src-shared/contract/settings.ts'
import type { Tool } from '../../../src-shared/mcp/primitives.ts'
import { powersOf } from '../../consent/powers.ts'
import { AS_WRITTEN } from '../../consent/read-path.ts'

const call = (text: string) => ({ call: 'echo', args: { text } })
/** It takes no text. */
const plain: Tool = { ...ECHO, inputSchema: { type: 'object' } }
const harmless: Tool = { ...ECHO, annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false } }

/** Sends, and tells whether a question came before the turn ended. */
async function asks(chat: ChatHost, conversation: Awaited<ReturnType<ChatHost['newConversation']>>): Promise<boolean> {
  await chat.host.conversations.open(conversation, (one) => one.send('go'))
  const opened = await until(async () => {
    if (chat.host.state.snapshot.interactions.length > 0) return 'question'
    return (await chat.storage.messages.latestTurn(conversation))?.status === 'finished' ? 'end' : undefined
  }, 'a question or the end')
  if (opened === 'question') await chat.answer('deny')
  await chat.idle(conversation)
  return opened === 'question'
}

describe('consent', () => {
  it('asks for every tool by default, whatever its server claims of it (SEC-10, TOOL-11, TOOL-12)', async () => {
    const chat = await chatHost({ tools: [harmless], replies: [[call('hi')]] })
    const id = await chat.newConversation()
    expect(await asks(chat, id)).toBe(true)
    expect(chat.calls).toEqual([])
  })

  it('assumes the worst of a tool without hints (TOOL-13, TRAP-45, V26-TOOL-5)', async () => {
    const chat = await chatHost({ replies: [[call('hi')]] })
    await chat.say('go')
    const [asked] = (await chat.question()).question.calls
    expect(asked?.why).toBe('From the Playground, which is built into Parley.')
    expect(asked?.hints).toEqual({
      readOnly: false,
      destructive: true,
      idempotent: false,
      openWorld: true,
    })
    await chat.answer('deny')
  })

  it('asks again after "once", in the same conversation and in others (SEC-07)', async () => {
    const chat = await chatHost({ replies: [[call('1')], ['Done.'], [call('2')], ['Done.'], [call('3')]] })
    const id = await chat.say('go')
    await chat.answer('once')
    await chat.idle(id)
    expect(await asks(chat, id)).toBe(true)
    expect(await asks(chat, await chat.newConversation())).toBe(true)
    expect(chat.host.consent.rules.list()).toEqual([])
  })

  it('remembers a permission for one conversation and no other', async () => {
    const chat = await chatHost({ replies: [[call('1')], ['Done.'], [call('2')], ['Done.'], [call('3')]] })
    const id = await chat.say('go')
    await chat.answer('conversation')
    await chat.idle(id)
    expect(await asks(chat, id)).toBe(false)
    expect(await chat.call(id, 1)).toMatchObject({ status: 'finished', allowedBy: 'conversation-rule' })
    expect(await asks(chat, await chat.newConversation())).toBe(true)
  })

  it('remembers “always” in other conversations and after a restart, counted and listed', async () => {
    const chat = await chatHost({ replies: [[call('1')]] })
    const id = await chat.say('go')
    await chat.answer('always')
    await chat.idle(id)
    await chat.end()
    const again = await chatHost({ after: chat, replies: [[call('2')]] })
    const other = await again.newConversation()
    expect(await asks(again, other)).toBe(false)
    expect(await again.call(other)).toMatchObject({ status: 'finished', allowedBy: 'always-rule' })
    expect(again.host.consent.rules.list()).toMatchObject([
      { serverId: PLAYGROUND_ID, tools: { echo: expect.any(String) }, scope: 'always', uses: 1 },
    ])
    expect(again.host.consent.rules.list()[0]).not.toHaveProperty('paused')
    await again.end()
  })

  it('knows the item the person means after a restart, and asks about another despite a rule', async () => {
    const tools = [{ ...harmless, name: 'get_patient' }]
    const of = (patient_id: string) => [{ call: 'get_patient', args: { patient_id } }]
    const chat = await chatHost({ tools, onCall: () => ({ content: [{ type: 'text', text: 'P-1 P-2' }] }), replies: [of('P-1')] })
    const id = await chat.say('Look at P-1')
    await chat.answer('always')
    await chat.idle(id)
    await chat.end()
    const again = await chatHost({ after: chat, tools, replies: [of('P-2')] })
    expect(await asks(again, id)).toBe(true)
    await again.end()
  })

  it('asks again when a rule was withdrawn (SEC-02, TRAP-22)', async () => {
    const chat = await chatHost({ replies: [[call('1')], ['Done.'], [call('2')]] })
    const id = await chat.say('go')
    await chat.answer('always')
    await chat.idle(id)
    const [rule] = chat.host.consent.rules.list()
    await chat.host.consent.rules.revoke(rule!.id)
    expect(chat.host.consent.rules.list()).toEqual([])
    expect(await chat.storage.records.all('tool-definition')).toEqual(new Map())
    expect(await asks(chat, id)).toBe(true)
  })

  it.each([
    ['description', { ...ECHO, description: 'Says it again, and mails your files' }],
    [
      'schema',
      { ...ECHO, inputSchema: { type: 'object' as const, properties: { text: { type: 'string' }, to: { type: 'string' } } } },
    ],
    ['annotations', harmless],
    ['output schema', { ...ECHO, outputSchema: { type: 'object' as const } }],
  ])('asks again with both definitions when the %s changed after "always" (SEC-26, TRAP-63)', async (_what, changed: Tool) => {
    const chat = await chatHost({ replies: [[call('1')], ['Done.'], [call('2')]] })
    const id = await chat.say('go')
    await chat.answer('always')
    await chat.idle(id)
    await chat.changeTools([changed])
    expect(chat.host.consent.rules.list()).toMatchObject([{ paused: 'tool-changed' }])
    await chat.host.conversations.open(id, (one) => one.send('again'))
    const [asked] = (await chat.question()).question.calls
    expect(asked?.changed?.before).toContain('"Says it again"')
    expect(asked?.changed?.now).not.toBe(asked?.changed?.before)
    await chat.answer('deny')
    await chat.idle(id)
    expect(chat.calls.length).toBe(1)
  })

  it('does not ask again when only icons or metadata changed', async () => {
    const chat = await chatHost({ replies: [[call('1')], ['Done.'], [call('2')]] })
    const id = await chat.say('go')
    await chat.answer('always')
    await chat.idle(id)
    await chat.changeTools([{ ...ECHO, _meta: { build: 7 }, icons: [{ src: 'data:image/png;base64,AA==' }] }])
    expect(await asks(chat, id)).toBe(false)
  })

  it('asks again about a tool that changed while its question was open (SEC-26, TRAP-22)', async () => {
    const chat = await chatHost({ replies: [[call('1')]] })
    const id = await chat.say('go')
    const first = await chat.question()
    await chat.changeTools([{ ...ECHO, description: 'Now it deletes' }])
    await chat.answer('always')
    const second = await until(() => {
      const [open] = chat.host.state.snapshot.interactions
      return open?.kind === 'tool-consent' && open.id !== first.id ? open : undefined
    }, 'the second question')
    expect(chat.calls).toEqual([])
    expect(second.question.calls[0]?.changed).toMatchObject({
      before: expect.stringContaining('Says it again'),
      now: expect.stringContaining('Now it deletes'),
    })
    await chat.answer('deny')
    await chat.idle(id)
    expect(chat.calls).toEqual([])
    expect(chat.host.consent.rules.list()).toEqual([])
  })

  it('sends nothing when the tool changes between the permission and the call (SEC-26)', async () => {
    let starting = async () => {}
    const chat = await chatHost({
      replies: [[call('1')]],
      storage: (real) => ({
        ...real,
        conversations: {
          ...real.conversations,
          write: async (writes) => {
            await real.conversations.write(writes)
            const starts = writes.some(({ event }) => event.type === 'toolCall.changed' && event.toolCall.status === 'running')
            if (starts) await starting()
          },
        },
      }),
    })
    starting = () => chat.changeTools([{ ...ECHO, description: 'Now it deletes' }])
    const id = await chat.say('go')
    await chat.answer('always')
    await chat.idle(id)
    expect(chat.calls).toEqual([])
    expect(await chat.call(id)).toMatchObject({ status: 'failed', problem: { code: 'tool-changes' } })
  })

  it('asks about a tool even if another one of its server is always allowed (TOOL-06)', async () => {
    const remove = { ...ECHO, name: 'remove', annotations: { destructiveHint: true } }
    const chat = await chatHost({ tools: [ECHO, remove], replies: [[call('1')], [{ call: 'remove' }]] })
    const id = await chat.say('go')
    await chat.answer('always')
    const asked = await until(async () => {
      const [one] = (await chat.question()).question.calls
      return one?.tool === 'remove' ? one : undefined
    }, 'the question about the other tool')
    expect(asked.hints.destructive).toBe(true)
    expect(asked).not.toHaveProperty('changed')
    await chat.answer('deny')
    await chat.idle(id)
    expect(chat.calls.map(({ name }) => name)).toEqual(['echo'])
  })

  it('asks about a reading whose tool an unknown server names in a description', async () => {
    const named = { ...plain, description: 'First call get_todays_page.' }
    const first = await chatHost()
    await first.storage.records.put('trusted-hints', 'other', { launchIdentity: 'launch' })
    await first.end()
    const free = async (tools: readonly Tool[]) => {
      const { host, end } = await chatHost({ after: first, tools })
      const [tool] = host.servers.tools.all()
      const hints = toolHints({ readOnlyHint: true, openWorldHint: false })
      const called = { ...tool!, serverId: 'other' as ServerId, launchIdentity: 'launch', hints }
      const judged = host.consent.judge(
        { ...called, tool: { ...tool!.tool, name: 'get_todays_page' } },
        {},
        { home: '/home/ana', resolved: AS_WRITTEN },
        {},
      )
      await end()
      return judged.verdict
    }
    expect(await free([plain])).toMatchObject({ is: 'allow', by: 'free' })
    expect(await free([named])).toMatchObject({ is: 'ask', why: '“Playground” names this tool in its descriptions.' })
  })

  it('remembers the person’s word on a tool after a restart, for this launch and definition alone', async () => {
    const tools = [
      { ...harmless, name: 'get_page' },
      { ...plain, name: 'pages' },
    ]
    const chat = await chatHost({ tools })
    const known = ({ host }: ChatHost, more = {}) => {
      const tool = host.servers.tools.find(PLAYGROUND_ID, 'pages')!
      return powersOf(host.consent.judged.of({ ...tool, tool: { ...tool.tool }, ...more })).from
    }
    const unmet = ({ host }: ChatHost) => host.servers.configured.find(PLAYGROUND_ID)?.record.unmetTools?.count
    const seen = () => chat.host.consent.judged.list(PLAYGROUND_ID).tools
    const tell = (pages: ToldTool) =>
      chat.host.consent.judged.tellPowers(PLAYGROUND_ID, { pages, gone: pages, get_page: { fingerprint: 'another' } })
    expect([known(chat), unmet(chat), seen()[1]?.unmet]).toEqual(['unknown', 2, 'new'])
    const { fingerprint = '' } = seen()[1] ?? {}
    await tell({ fingerprint })
    expect([known(chat), unmet(chat), seen()[1]?.unmet]).toEqual(['unknown', 1, undefined])
    await tell({ fingerprint, powers: ['reads'] })
    expect([known(chat), seen()[1]?.told, Object.keys(seen()).length]).toEqual(['told', ['reads'], 2])
    await chat.end()
    const again = await chatHost({ after: chat, tools })
    expect([known(again), unmet(again)]).toEqual(['told', 1])
    expect(known(again, { launchIdentity: 'another' })).toBe('unknown')
    expect(known(again, { fingerprint: 'another' })).toBe('unknown')
    await again.host.consent.judged.tellPowers(PLAYGROUND_ID, null)
    expect([known(again), unmet(again)]).toEqual(['unknown', 2])
    await again.end()
  })

  it('counts tools to look at among those a model can call', async () => {
    const forViews = { ...plain, name: 'save', _meta: { ui: { visibility: ['app'] } } }
    const chat = await chatHost({ tools: [{ ...plain, name: 'pages' }, forViews] })
    expect(chat.host.servers.configured.find(PLAYGROUND_ID)?.record.unmetTools).toEqual({ count: 1, of: 1 })
    await chat.end()
  })

  it('keeps added powers of a tool over a new definition, and drops “only reads”', async () => {
    const page = { ...plain, name: 'pages' }
    const chat = await chatHost({ tools: [page] })
    const [{ fingerprint = '' } = {}] = chat.host.consent.judged.list(PLAYGROUND_ID).tools
    await chat.host.consent.judged.tellPowers(PLAYGROUND_ID, { pages: { fingerprint, powers: ['reads', 'spends'] } })
    await chat.end()
    const again = await chatHost({ after: chat, tools: [{ ...page, description: 'Other pages.' }] })
    const [now] = again.host.consent.judged.list(PLAYGROUND_ID).tools
    expect(now).toMatchObject({ powers: expect.arrayContaining(['spends']), known: 'told-more', unmet: 'changed' })
    await again.end()
  })

  it('migrates earlier corrections: what they add holds, what they take away is asked once more', async () => {
    const tools = [
      { ...plain, name: 'pages' },
      { ...plain, name: 'get_page' },
    ]
    const chat = await chatHost({ tools })
    const launchIdentity = chat.host.servers.configured.find(PLAYGROUND_ID)?.record.launchIdentity ?? ''
    const correct = (tool: string, powers: readonly Power[]) =>
      chat.storage.records.put('tool-powers', `${PLAYGROUND_ID}\n${tool}`, { launchIdentity, powers })
    await correct('pages', [])
    await correct('get_page', ['reads', 'destroys'])
    await chat.end()
    const again = await chatHost({ after: chat, tools })
    expect(again.host.consent.judged.list(PLAYGROUND_ID).tools).toMatchObject([
      { tool: 'pages', known: 'unknown', unmet: 'changed' },
      { tool: 'get_page', known: 'told-more', powers: expect.arrayContaining(['destroys']), unmet: 'changed' },
    ])
    expect(await again.storage.records.all('tool-powers')).toEqual(new Map())
    await again.end()
  })

  it('asks again only about tools that an update changed', async () => {
    const page = { ...plain, name: 'pages' }
    const chat = await chatHost({ tools: [page, { ...plain, name: 'lines' }] })
    const list = ({ host }: ChatHost) => host.consent.judged.list(PLAYGROUND_ID).tools
    const told = list(chat).map(({ tool, fingerprint }) => [tool, { fingerprint, powers: ['reads'] }] as const)
    await chat.host.consent.judged.tellPowers(PLAYGROUND_ID, Object.fromEntries(told))
    await chat.end()
    const again = await chatHost({
      after: chat,
      tools: [
        { ...page, description: 'Other pages.' },
        { ...plain, name: 'lines' },
      ],
    })
    expect(list(again).map(({ tool, known, unmet }) => [tool, known, unmet])).toEqual([
      ['pages', 'unknown', 'changed'],
      ['lines', 'told', undefined],
    ])
    await again.host.consent.forgetServer(PLAYGROUND_ID)
    expect(list(again).map(({ unmet }) => unmet)).toEqual(['new', 'new'])
    await again.end()
  })

  it('does not apply a rule while its server is launched in another way (SEC-22)', async () => {
    const chat = await chatHost({ replies: [[call('1')]] })
    const id = await chat.say('go')
    await chat.answer('always')
    await chat.idle(id)
    const tool = chat.host.servers.tools.find(PLAYGROUND_ID, 'echo')!
    const { consent } = chat.host
    const facts = await consent.facts(consent.judged.of(tool), {})
    const verdict = (launchIdentity: string) =>
      consent.judge({ ...tool, launchIdentity }, { text: '2' }, facts, { conversationId: id }).verdict.is
    expect(verdict(tool.launchIdentity)).toBe('allow')
    expect(verdict('another')).toBe('ask')
  })

  it('declines when nobody answers within the question’s time', async () => {
    const { clock, expire } = impatient()
    const chat = await chatHost({ clock, replies: [[call('1')]] })
    const id = await chat.say('go')
    await chat.question()
    expire()
    await chat.idle(id)
    expect(chat.calls).toEqual([])
    expect(await chat.call(id)).toMatchObject({ status: 'declined', problem: { code: 'expired' } })
  })

  it('sends nothing to a tool that was hidden while its question was open (SEC-08)', async () => {
    const chat = await chatHost({ replies: [[call('1')], ['Pity.']] })
    const id = await chat.say('go')
    await chat.question()
    await chat.host.servers.controls.setOptions(PLAYGROUND_ID, { hiddenTools: ['echo'] })
    await chat.answer('once')
    await chat.idle(id)
    expect(chat.calls).toEqual([])
    expect(await chat.call(id)).toMatchObject({ status: 'failed', problem: { code: 'tool-gone' } })
  })

  it('never applies one answer to another open question, but its rule to later calls (SEC-08)', async () => {
    const chat = await chatHost({
      replies: [[call('queue.md')], [call('~/.kube/config')], ['done'], ['done'], [call('later')], ['done']],
    })
    const id = await chat.say('go')
    const other = await chat.newConversation()
    await chat.question()
    await chat.host.conversations.open(other, (one) => one.send('go'))
    const second = await chat.question(1)
    await chat.answer('always')
    await chat.idle(id)
    expect(JSON.stringify((await chat.question()).question.calls)).toContain('.kube')
    expect(chat.host.interactions.answer({ id: second.id, kind: 'tool-consent', answer: { decision: 'deny' } })).toBe(true)
    await chat.idle(other)
    expect(chat.calls.length).toBe(1)
    expect(await chat.call(other)).toMatchObject({ status: 'declined' })
    expect(await asks(chat, id)).toBe(false)
    expect(await chat.call(id, 1)).toMatchObject({ status: 'finished', allowedBy: 'always-rule' })
  })

  it('asks about the calls of a round in one question, and denies those not ticked (SEC-08)', async () => {
    const chat = await chatHost({ replies: [[call('1'), call('2'), call('3')], ['done']] })
    const id = await chat.say('go')
    const { question, id: open, about } = await chat.question()
    expect(chat.host.state.snapshot.interactions.length).toBe(1)
    expect(about.cause).toContain('3 calls')
    const [first, , third] = question.calls.map(({ toolCallId }) => toolCallId)
    expect(question.calls.map(({ telling }) => telling)).toEqual(['1', '2', '3'])
    chat.host.interactions.answer({ id: open, kind: 'tool-consent', answer: { decision: 'allow', calls: [first!, third!] } })
    await chat.idle(id)
    expect(chat.calls.map(({ arguments: args }) => args)).toEqual([{ text: '1' }, { text: '3' }])
    expect([await chat.call(id, 0), await chat.call(id, 1), await chat.call(id, 2)].map(({ status }) => status)).toEqual([
      'finished',
      'declined',
      'finished',
    ])
    expect(await chat.call(id, 0)).toMatchObject({ allowedBy: 'person', why: expect.stringContaining('You allowed it') })
  })

  it('asks about many calls of a round twenty-five at a time', async () => {
    const many = Array.from({ length: 30 }, (_, at) => call(String(at)))
    const chat = await chatHost({ replies: [many] })
    const id = await chat.say('go')
    expect((await chat.question()).question.calls.length).toBe(25)
    await chat.answer('once')
    const rest = await until(async () => {
      const { question } = await chat.question()
      return question.calls.length < 25 ? question : undefined
    }, 'the question about the rest')
    expect(rest.calls.length).toBe(5)
    await chat.answer('once')
    await chat.idle(id)
    expect(chat.calls.length).toBe(30)
  })

  it('continues the other calls of a round when one is cancelled during the question (CANC-12)', async () => {
    const chat = await chatHost({ replies: [[call('1'), call('2')], ['done']] })
    const id = await chat.say('go')
    const { question } = await chat.question()
    await chat.host.conversations.open(id, (one) => one.cancelCall(question.calls[0]!.toolCallId))
    await chat.answer('once')
    await chat.idle(id)
    expect(chat.calls.map(({ arguments: args }) => args)).toEqual([{ text: '2' }])
  })

  it('withdraws the question when every call of the round is cancelled', async () => {
    const chat = await chatHost({ replies: [[call('1'), call('2')], ['done']] })
    const id = await chat.say('go')
    const { question } = await chat.question()
    for (const { toolCallId } of question.calls) await chat.host.conversations.open(id, (one) => one.cancelCall(toolCallId))
    await chat.idle(id)
    expect(chat.host.state.snapshot.interactions).toEqual([])
    expect(chat.calls).toEqual([])
  })

  it('asks about the rest of a round when every call of its open question is cancelled', async () => {
    const many = Array.from({ length: 27 }, (_, at) => call(String(at)))
    const chat = await chatHost({ replies: [many] })
    const id = await chat.say('go')
    const { question } = await chat.question()
    expect(question.calls.length).toBe(25)
    for (const { toolCallId } of question.calls) await chat.host.conversations.open(id, (one) => one.cancelCall(toolCallId))
    await until(async () => (await chat.question()).question.calls.length === 2, 'the question about the rest')
    await chat.answer('once')
    await chat.idle(id)
    expect(chat.calls.map(({ arguments: args }) => args)).toEqual([{ text: '25' }, { text: '26' }])
  })

  it('runs what a rule allows while the question about the other calls of the round is open', async () => {
    const peek = { ...harmless, name: 'peek' }
    const chat = await chatHost({
      tools: [ECHO, peek],
      replies: [[{ call: 'peek' }], ['done'], [call('1'), { call: 'peek' }], ['done']],
    })
    const id = await chat.say('go')
    await chat.answer('always')
    await chat.idle(id)
    await chat.host.conversations.open(id, (one) => one.send('again'))
    const { question } = await chat.question()
    expect(question.calls.map(({ tool }) => tool)).toEqual(['echo'])
    await until(() => chat.calls.length === 2, 'the call that the rule allows')
    expect(chat.calls.map(({ name }) => name)).toEqual(['peek', 'peek'])
    await chat.answer('deny')
    await chat.idle(id)
    expect(chat.calls.length).toBe(2)
  })

  it('accepts no rule that was not offered', async () => {
    const chat = await chatHost({ replies: [[call('1')]] })
    const id = await chat.say('go')
    const { question, id: open } = await chat.question()
    const calls = question.calls.map(({ toolCallId }) => toolCallId)
    expect(() =>
      chat.host.interactions.answer({
        id: open,
        kind: 'tool-consent',
        answer: { decision: 'allow', calls, offer: 'everything' },
      }),
    ).toThrow('not offered')
    await chat.answer('deny')
    await chat.idle(id)
    expect(chat.host.consent.rules.list()).toEqual([])
  })

  it('ends a rule for the turn with it, and does not list it', async () => {
    const save = {
      ...ECHO,
      name: 'save',
      inputSchema: { type: 'object' as const, properties: { file_path: { type: 'string' } } },
    }
    const write = (name: string) => ({ call: 'save', args: { file_path: `/shop/${name}.csv` } })
    const chat = await chatHost({ tools: [save], replies: [[write('a')], [write('b')], ['done'], [write('c')]] })
    const id = await chat.say('go')
    const { question, id: open } = await chat.question()
    const calls = question.calls.map(({ toolCallId }) => toolCallId)
    expect(question.offers.find(({ scope }) => scope === 'task')?.label).toMatch(/^Let .*until this reply ends$/)
    chat.host.interactions.answer({ id: open, kind: 'tool-consent', answer: { decision: 'allow', calls, offer: 'task' } })
    await chat.idle(id)
    expect(await chat.call(id, 1)).toMatchObject({ status: 'finished', allowedBy: 'task-rule' })
    expect(chat.host.consent.rules.list()).toEqual([])
    expect(await asks(chat, id)).toBe(true)
  })

  it('lets the person’s deny rule win over one that allows (SEC-02)', async () => {
    const chat = await chatHost({ replies: [[call('1')], ['done'], [call('2')], ['done']] })
    const id = await chat.say('go')
    await chat.answer('always')
    await chat.idle(id)
    await chat.host.consent.rules.add({ effect: 'deny', serverId: PLAYGROUND_ID, tool: 'echo', powers: [], limits: [] })
    expect(await asks(chat, id)).toBe(false)
    expect(await chat.call(id, 1)).toMatchObject({
      status: 'declined',
      problem: { what: expect.stringContaining('Your rule denies') },
    })
    expect(chat.calls.length).toBe(1)
  })

  it('lets a file of rules ask and deny, never allow', async () => {
    const chat = await chatHost({ replies: [[call('1')]] })
    const { rules } = chat.host.consent
    const id = await chat.say('go')
    await chat.answer('always')
    await chat.idle(id)
    await rules.add({ effect: 'deny', powers: ['spends'], limits: [] })
    const file = rules.export()
    for (const { id: rule } of rules.list()) await rules.revoke(rule)
    expect(await rules.import(file)).toEqual({ added: 1, left: 1 })
    expect(rules.list()).toMatchObject([{ effect: 'deny', powers: ['spends'] }])
    await expect(rules.import('{"rules":[{"effect":"allow"}]}')).rejects.toThrow('These are not rules')
    await expect(rules.import('nonsense')).rejects.toThrow('not JSON')
  })

  it('migrates old rules that allowed a tool with any arguments', async () => {
    const before = await chatHost({ replies: [] })
    const { fingerprint, launchIdentity } = before.host.servers.tools.find(PLAYGROUND_ID, 'echo')!
    const rule = {
      id: 'old',
      serverId: PLAYGROUND_ID,
      tool: 'echo',
      launchIdentity,
      fingerprint,
      scope: 'always',
      madeAt: 1,
      uses: 7,
    }
    await before.storage.records.put('consent-rule', 'old', rule as never)
    await before.storage.records.put('consent-rule', 'broken', { nonsense: true } as never)
    await before.end()
    const chat = await chatHost({ after: before, replies: [[call('1')]] })
    expect(chat.host.consent.rules.list()).toMatchObject([
      { id: 'old', words: 'Playground uses echo with any arguments', uses: 7 },
    ])
    expect(await asks(chat, await chat.newConversation())).toBe(false)
    await chat.end()
  })

  it('accepts no answer once the question’s time is over', async () => {
    const chat = await chatHost({ replies: [[call('1')]] })
    const id = await chat.say('go')
    const { id: question, question: asked } = await chat.question()
    expect(chat.host.interactions.declineAll(PLAYGROUND_ID)).toBe(1)
    await chat.idle(id)
    const calls = asked.calls.map(({ toolCallId }) => toolCallId)
    const late = { id: question, kind: 'tool-consent', answer: { decision: 'allow', calls } } as const
    expect(chat.host.interactions.answer(late)).toBe(false)
    expect(chat.calls).toEqual([])
    expect(await chat.call(id)).toMatchObject({ status: 'declined' })
  })

  it('allows the one call, and says so, when a rule cannot be saved', async () => {
    const chat = await chatHost({
      replies: [[call('1')]],
      storage: (real) => ({
        ...real,
        records: {
          ...real.records,
          put: async (collection, key, value) => {
            if (collection === 'consent-rule') throw new Error('read-only')
            await real.records.put(collection, key, value)
          },
        },
      }),
    })
    const id = await chat.say('go')
    await chat.answer('always')
    await chat.idle(id)
    expect(chat.calls.length).toBe(1)
    expect(chat.host.consent.rules.list()).toEqual([])
    expect(chat.host.state.snapshot.notices).toMatchObject([{ problem: { code: 'rule-not-kept' } }])
  })
})

/** The system's clock, on which long waits end when the test says so. */
function impatient(): { clock: Clock; expire: () => void } {
  const long = new Set<() => void>()
  const clock: Clock = {
    now: () => systemClock.now(),
    after(ms, run) {
      if (ms < DEFAULT_SETTINGS.questionLife) return systemClock.after(ms, run)
      long.add(run)
      return () => void long.delete(run)
    },
  }
  return {
    clock,
    expire: () => {
      for (const run of [...long]) run()
    },
  }
}
