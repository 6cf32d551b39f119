import { describe, expect, it } from 'vitest'
import type { Reply } from '../../../e2e/servers/linked/scripted-server.ts'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { until } from '../../../e2e/support/until.ts'
import { type ChatHost, type ChatOptions, chatHost } from '../../../e2e/test-hosts/chat-host.ts'
import type { CallByHand } from '../../../src-shared/contract/conversations.ts'
import type { ConversationId, ToolCallId } from '../../../src-shared/contract/ids.ts'
import { PLAYGROUND_ID } from '../../../src-shared/contract/servers.ts'
import { type Storage, StorageError } from '../../storage/base/storage.ts'

const IDLE = 5_000
const forever = new Promise<never>(() => {})

/** A host whose server answers calls when it is told to, or never. */
async function slowHost(options: Pick<ChatOptions, 'replies' | 'platform'> & { readonly onCall?: Reply } = {}) {
  const clock = new ManualClock(1_000_000)
  const chat = await chatHost({ clock, onCall: () => forever, ...options })
  await chat.host.servers.controls.setOptions(PLAYGROUND_ID, { requestTimeout: IDLE, maxRequestTime: 4 * IDLE })
  /** Windows get updates in batches. */
  const soon = async <T>(look: () => T | undefined | false, what: string) => {
    const seen = await until(() => {
      const found = look()
      if (found) return { found }
      clock.advance(10)
      return undefined
    }, what)
    return seen.found
  }
  const report = (progress: number) => {
    const [call] = chat.server.got('tools/call').slice(-1)
    chat.server.notify('notifications/progress', { progressToken: call?.params._meta.progressToken, progress })
  }
  const cancelled = () => chat.server.got('notifications/cancelled').length
  return { chat, clock, soon, report, cancelled }
}

/** A conversation with a call under way that has just become overdue. */
async function overdueCall(onCall?: Reply, platform: ChatOptions['platform'] = {}) {
  const slow = await slowHost({ replies: [[{ call: 'echo', args: {} }], ['So be it.']], platform, ...(onCall && { onCall }) })
  const { chat, clock, soon } = slow
  const id = await chat.newConversation()
  const window = await chat.follow(id)
  await chat.host.conversations.open(id, (one) => one.send('go'))
  await chat.answer('once')
  await until(() => chat.calls.length === 1, 'the call')
  clock.advance(IDLE)
  const notice = await soon(() => window.calls[0]?.overdue, 'the notice')
  return { ...slow, id, window, notice, keepWaiting: () => keepWaiting(chat, window.calls[0]?.id) }
}

const keepWaiting = (chat: ChatHost, id: ToolCallId | undefined) =>
  chat.host.servers.calls.overdue.keepWaiting(id ?? ('none' as ToolCallId))
const headOf = (chat: ChatHost, id: ConversationId) => chat.host.state.snapshot.conversations.find((head) => head.id === id)

describe('a tool call past its deadline', () => {
  it('continues, and its record and conversation say that a person is needed (LIFE-29, ARCH-06)', async () => {
    const { chat, id, window, notice, cancelled } = await overdueCall()
    expect(notice).toMatchObject({ why: 'silent', after: IDLE, endsAt: notice.since + IDLE })
    expect(window.calls[0]?.status).toBe('running')
    expect(headOf(chat, id)).toMatchObject({ turn: 'running', overdue: true })
    expect((await chat.follow(id)).calls[0]?.overdue).toEqual(notice)
    expect(cancelled()).toBe(0)
  })

  it('uses the time in Settings for servers without their own', async () => {
    const { chat, clock, soon } = await slowHost({ replies: [[{ call: 'echo', args: {} }]] })
    await chat.host.servers.controls.setOptions(PLAYGROUND_ID, { requestTimeout: null, maxRequestTime: null })
    await chat.host.settings.change({ serverTimeouts: { requestTimeout: 2 * IDLE, maxRequestTime: IDLE, startTimeout: IDLE } })
    const id = await chat.newConversation()
    const window = await chat.follow(id)
    await chat.host.conversations.open(id, (one) => one.send('go'))
    await chat.answer('once')
    await until(() => chat.calls.length === 1, 'the call')
    clock.advance(2 * IDLE)
    expect(await soon(() => window.calls[0]?.overdue, 'the notice')).toMatchObject({ after: 2 * IDLE })
  })

  it('gets the same time again when asked, and its late answer counts (LIFE-30)', async () => {
    let answer: (result: object) => void = () => {}
    const { chat, clock, id, window, notice, soon, keepWaiting } = await overdueCall(
      () => new Promise((resolve) => (answer = resolve)),
    )
    clock.advance(IDLE - 100)
    expect(keepWaiting()).toBe(true)
    await soon(() => !window.calls[0]?.overdue, 'the end of the notice')
    expect(headOf(chat, id)?.overdue).toBeUndefined()
    expect(keepWaiting()).toBe(false)
    clock.advance(IDLE)
    const again = await soon(() => window.calls[0]?.overdue, 'a second notice')
    expect(again).toMatchObject({ why: 'silent', after: again.since - (notice.since - IDLE) })
    answer({ content: [{ type: 'text', text: 'at last' }] })
    const ended = await soon(() => window.calls[0]?.status === 'finished' && window.calls[0], 'the answer')
    expect(ended).toMatchObject({ result: { content: [{ text: 'at last' }] } })
    expect(ended.overdue).toBeUndefined()
    await soon(() => headOf(chat, id)?.turn === 'idle', 'the turn to end')
    expect(headOf(chat, id)?.overdue).toBeUndefined()
    expect(chat.model.told('call-1')).toContain('at last')
  })

  it('is no longer overdue when its server asks the person something', async () => {
    const { chat, window, soon, keepWaiting } = await overdueCall()
    const [call] = chat.server.got('tools/call')
    const elicitations = [{ mode: 'url', message: 'Connect', url: 'https://a.example/', elicitationId: 'x1' }]
    chat.server.send({ jsonrpc: '2.0', id: call?.id, error: { code: -32042, message: 'Visit first', data: { elicitations } } })
    await soon(() => chat.host.state.snapshot.interactions.some(({ kind }) => kind === 'elicitation-url'), 'the question')
    await soon(() => !window.calls[0]?.overdue, 'the end of the notice')
    expect(keepWaiting()).toBe(false)
  })

  it('causes one system notification for a person who looks elsewhere', async () => {
    const told: string[] = []
    const { chat, id } = await overdueCall(undefined, { notify: ({ title, body }) => told.push(`${title}: ${body}`) })
    await chat.host.conversations.open(id, (one) => one.rename('Errands'))
    expect(told.filter((one) => one.startsWith('Still'))).toEqual(['Still waiting for a tool: go'])
  })

  it('is no longer overdue when its server reports progress (LIFE-31)', async () => {
    const { chat, id, window, soon, report, cancelled } = await overdueCall()
    report(1)
    await soon(() => !window.calls[0]?.overdue && window.calls[0]?.progress, 'the progress')
    expect(headOf(chat, id)?.overdue).toBeUndefined()
    expect(cancelled()).toBe(0)
  })

  it('ends when nobody answers, so that no run hangs, and the model is told (LIFE-29, LIFE-32)', async () => {
    const { chat, clock, id, window, soon, cancelled } = await overdueCall()
    clock.advance(IDLE)
    await soon(() => headOf(chat, id)?.turn === 'idle', 'the turn to end')
    expect(window.calls[0]).toMatchObject({ status: 'failed', problem: { code: 'no-answer' } })
    expect(window.calls[0]?.overdue).toBeUndefined()
    expect(cancelled()).toBe(1)
    expect(chat.model.told('call-1')).toContain('gave no result')
  })

  it('is cancelled like any other when the person stops it (CANC-01, CANC-12)', async () => {
    const { chat, id, window, soon, cancelled } = await overdueCall()
    const call = await chat.call(id)
    await chat.host.conversations.open(id, (one) => one.cancelCall(call.id))
    await soon(() => headOf(chat, id)?.turn === 'idle', 'the turn to end')
    expect(window.calls[0]).toMatchObject({ status: 'cancelled', problem: { code: 'stopped' } })
    expect(window.calls[0]?.overdue).toBeUndefined()
    expect(cancelled()).toBe(1)
  })
})

/** A call by hand under way, as a window sees it that follows the server. */
async function callByHand() {
  const slow = await slowHost()
  const { chat, clock } = slow
  const id = 'mine' as ToolCallId
  const seen: (CallByHand | undefined)[] = []
  await chat.host.topics.follow(`server/${PLAYGROUND_ID}`, (_seq, event) => {
    if (event !== 'gone' && event.type === 'calls.changed') seen.push(event.calls[0])
  })
  const controller = new AbortController()
  const startedAt = clock.now()
  const ended = chat.host.byHand.call(PLAYGROUND_ID, 'echo', {}, controller.signal, id).catch((error: unknown) => error)
  await until(() => chat.calls.length === 1, 'the call')
  return { ...slow, id, seen, startedAt, controller, ended }
}

describe('a call made by hand', () => {
  it('shows its progress in every window, even one opened later', async () => {
    const { chat, id, seen, startedAt, report, controller, ended } = await callByHand()
    expect(seen).toEqual([{ id, tool: 'echo', startedAt }])
    report(3)
    await until(() => seen.at(-1)?.progress, 'the progress')
    const opened = await chat.host.topics.follow(`server/${PLAYGROUND_ID}`, () => {})
    expect(opened?.value).toMatchObject({ calls: [{ id, tool: 'echo', startedAt, progress: { progress: 3 } }] })
    await expect(chat.host.byHand.call(PLAYGROUND_ID, 'echo', {}, new AbortController().signal, id)).rejects.toMatchObject({
      code: 'conflict',
    })
    controller.abort()
    await ended
    expect(seen.at(-1)).toBeUndefined()
  })

  it('has its result even if the ledger cannot be written', async () => {
    const disk = breakable()
    const chat = await chatHost({ onCall: () => ({ content: [{ type: 'text', text: 'done' }] }), storage: disk.storage })
    disk.full = true
    const result = await chat.host.byHand.call(PLAYGROUND_ID, 'echo', {}, new AbortController().signal)
    expect(result).toMatchObject({ content: [{ text: 'done' }] })
    expect(chat.host.state.snapshot.notices).toMatchObject([{ problem: { code: 'ledger-not-kept' } }])
  })

  it('keeps waiting when the person wants that, and ends when nobody answers (LIFE-29, LIFE-30)', async () => {
    const { chat, clock, id, seen, ended, cancelled } = await callByHand()
    clock.advance(IDLE)
    expect(seen.at(-1)?.overdue).toMatchObject({ why: 'silent', after: IDLE })
    expect(keepWaiting(chat, id)).toBe(true)
    expect(seen.at(-1)?.overdue).toBeUndefined()
    clock.advance(IDLE)
    expect(seen.at(-1)?.overdue).toMatchObject({ why: 'silent', after: 2 * IDLE })
    expect(cancelled()).toBe(0)
    clock.advance(IDLE)
    expect(await ended).toMatchObject({ code: 'unavailable', message: expect.stringContaining('within 15 s') })
    await until(() => cancelled() === 1, 'the cancellation')
  })
})

/** A storage whose disk can be full: the double of what lies outside. */
function breakable() {
  const disk = {
    full: false,
    storage: (real: Storage): Storage => ({
      ...real,
      ledger: {
        ...real.ledger,
        add: async (entry) => {
          if (disk.full) throw new StorageError('full', 'The disk is full.')
          await real.ledger.add(entry)
        },
      },
    }),
  }
  return disk
}
