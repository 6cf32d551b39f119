import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { readLedger } from '../../../e2e/support/storage/ledger.ts'
import { until } from '../../../e2e/support/until.ts'
import { type ChatHost, type ChatOptions, chatHost } from '../../../e2e/test-hosts/chat-host.ts'
import type { InteractionOf } from '../../../src-shared/contract/interactions.ts'
import { PLAYGROUND_ID } from '../../../src-shared/contract/servers.ts'

const ECHO_CALL = { call: 'echo', args: { text: 'hi' } }
const replies = [[ECHO_CALL], ['Done.']]
const SECRET = 'The door code is 4711.'
const answered = { content: [{ type: 'text', text: `The office opens at nine. ${SECRET}` }] }

/** A chat in which the call was made, and its result waits. */
async function waiting(options: ChatOptions = {}): Promise<{ chat: ChatHost; id: Awaited<ReturnType<ChatHost['say']>> }> {
  const chat = await chatHost({ replies, onCall: () => answered, ...options })
  await chat.host.servers.controls.listTool(PLAYGROUND_ID, 'reviewedTools', 'echo', true)
  const id = await chat.say('go')
  await chat.answer('once')
  await result(chat)
  return { chat, id }
}

const result = (chat: ChatHost): Promise<InteractionOf<'tool-result'>> =>
  until(() => chat.host.state.snapshot.interactions.find((one) => one.kind === 'tool-result'), 'the question about the result')

async function answer(chat: ChatHost, given: Parameters<typeof send>[1]): Promise<void> {
  send(await result(chat), given, chat)
}

function send(
  { id, kind }: InteractionOf<'tool-result'>,
  given: readonly ({ readonly keep: number } | { readonly text: string })[] | 'withhold',
  chat: ChatHost,
): void {
  chat.host.interactions.answer({
    id,
    kind,
    answer: given === 'withhold' ? { decision: 'decline' } : { decision: 'send', blocks: given },
  })
}

const outcomes = (chat: ChatHost) => readLedger(chat.memory?.sqlite).map(({ decision, outcome }) => [decision, outcome])

describe('a result that the person wants to see first', () => {
  it('waits, and the model gets it whole when the person sends it', async () => {
    const { chat, id } = await waiting()
    const { question, about } = await result(chat)
    expect(question).toEqual({ tool: 'echo', isError: false, blocks: [{ n: 0, ...answered.content[0] }] })
    expect(about).toMatchObject({ origin: 'model', conversationId: id, serverId: PLAYGROUND_ID })
    expect(await chat.call(id)).toMatchObject({ status: 'asking', received: answered })
    expect(await chat.call(id)).not.toHaveProperty('result')
    await answer(chat, [{ keep: 0 }])
    await chat.idle(id)
    const told = chat.model.told('call-1')
    expect(told).toContain(SECRET)
    expect(told).not.toContain('shortened')
    expect(await chat.call(id)).toMatchObject({ status: 'finished', result: answered })
    expect(await chat.call(id)).not.toHaveProperty('received')
    expect(outcomes(chat)).toEqual([['allowed-by-person', 'finished']])
  })

  it('reaches the model as the person left it, with a note; the conversation keeps both and the ledger says so', async () => {
    const { chat, id } = await waiting()
    await answer(chat, [{ text: 'The office opens at nine.' }])
    await chat.idle(id)
    const told = chat.model.told('call-1')
    expect(told).toContain('The office opens at nine.')
    expect(told).toContain('The person shortened or changed this result')
    expect(JSON.stringify(chat.model.request(-1))).not.toContain('4711')
    expect(await chat.call(id)).toMatchObject({
      status: 'finished',
      result: { content: [{ type: 'text', text: 'The office opens at nine.' }] },
      received: answered,
    })
    expect(outcomes(chat)).toEqual([['allowed-by-person', 'finished: changed']])
  })

  it('is not told when the person withholds it, and the model learns that they did', async () => {
    const { chat, id } = await waiting()
    await answer(chat, 'withhold')
    await chat.idle(id)
    expect(chat.model.told('call-1')).toMatch(/ran, and the person does not let you have its result/)
    expect(JSON.stringify(chat.model.request(-1))).not.toContain('office')
    expect(await chat.call(id)).toMatchObject({ status: 'finished', received: answered })
    expect(await chat.call(id)).not.toHaveProperty('result')
    expect(outcomes(chat)).toEqual([['allowed-by-person', 'finished: withheld']])
  })

  it('is withheld when nobody answers in time', async () => {
    const clock = new ManualClock(1_000_000)
    const { chat, id } = await waiting({ clock })
    clock.advance(chat.host.state.snapshot.settings.questionLife)
    await chat.idle(id)
    expect(chat.model.told('call-1')).toMatch(/does not let you have its result/)
  })

  it('shows structured content once, and a cut in it leaves no second copy for the model', async () => {
    const structuredContent = { opens: 9, code: '4711' }
    const text = { type: 'text', text: JSON.stringify(structuredContent) }
    const { chat, id } = await waiting({ onCall: () => ({ content: [text], structuredContent }) })
    expect((await result(chat)).question.blocks).toMatchObject([text])
    await answer(chat, [{ text: '{"opens":9}' }])
    await chat.idle(id)
    expect(JSON.stringify(chat.model.request(-1))).not.toContain('4711')
    expect((await chat.call(id)).result).not.toHaveProperty('structured')
  })

  it('keeps structured content that no text repeats, unless the person removes it', async () => {
    const onCall = () => ({ content: [{ type: 'text', text: 'One office.' }], structuredContent: { code: '4711' } })
    const kept = await waiting({ onCall })
    expect((await result(kept.chat)).question.blocks).toMatchObject([{ text: 'One office.' }, { text: '{"code":"4711"}' }])
    await answer(kept.chat, [{ text: 'An office.' }, { keep: 1 }])
    await kept.chat.idle(kept.id)
    expect(kept.chat.model.told('call-1')).toContain('4711')
    const removed = await waiting({ onCall })
    await answer(removed.chat, [{ keep: 0 }])
    await removed.chat.idle(removed.id)
    expect(removed.chat.model.told('call-1')).toContain('One office.')
    expect(removed.chat.model.told('call-1')).not.toContain('4711')
  })

  it('refuses an answer that names no part of it, or sends nothing', async () => {
    const { chat, id } = await waiting()
    const question = await result(chat)
    for (const wrong of [[{ keep: 1 }], [{ keep: 0 }, { keep: 0 }], []]) expect(() => send(question, wrong, chat)).toThrow()
    await answer(chat, 'withhold')
    await chat.idle(id)
  })

  it('waits again after a restart, without another call', async () => {
    const { chat, id } = await waiting()
    await chat.end()
    const again = await chatHost({ after: chat, replies: [['Done.']] })
    expect(await again.call(id)).toMatchObject({ status: 'interrupted', problem: { todo: 'Continue shows it to you again.' } })
    await again.host.conversations.open(id, (one) => one.retry())
    await answer(again, [{ text: 'Nine.' }])
    await again.idle(id)
    expect([chat.calls.length, again.calls.length]).toEqual([1, 0])
    expect(again.model.told('call-1')).toContain('Nine.')
    expect(outcomes(again)).toContainEqual(['allowed-by-person', 'finished: changed'])
  })

  it('stays untold when the person writes something else after a restart', async () => {
    const { chat, id } = await waiting()
    await chat.end()
    const again = await chatHost({ after: chat, replies: [['All right.']] })
    await again.host.conversations.open(id, (one) => one.send('Never mind.'))
    await again.idle(id)
    expect(JSON.stringify(again.model.request(-1))).not.toContain('office')
  })

  it('is not told after the person stopped the turn', async () => {
    const { chat, id } = await waiting()
    await chat.host.conversations.open(id, (one) => one.cancel())
    expect(chat.host.state.snapshot.interactions).toEqual([])
    expect(await chat.call(id)).toMatchObject({ status: 'cancelled', received: answered })
    chat.model.push(['And now?'])
    await chat.host.conversations.open(id, (one) => one.send('go on'))
    await chat.idle(id)
    expect(JSON.stringify(chat.model.request(-1))).not.toContain('office')
  })

  it('is asked about for every tool of a server where the server is set so', async () => {
    const chat = await chatHost({ replies, onCall: () => answered })
    await chat.host.servers.controls.setOptions(PLAYGROUND_ID, { reviewResults: true })
    const id = await chat.say('go')
    await chat.answer('once')
    await answer(chat, [{ keep: 0 }])
    await chat.idle(id)
    expect(chat.model.told('call-1')).toContain(SECRET)
  })
})
