import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { readLedger } from '../../../e2e/support/storage/ledger.ts'
import { until } from '../../../e2e/support/until.ts'
import { chatHost, ECHO } from '../../../e2e/test-hosts/chat-host.ts'
import { question } from '../../../e2e/test-hosts/open-question.ts'
import type { JsonObject } from '../../../src-shared/base/json.ts'
import { POWERS } from '../../../src-shared/contract/consent.ts'
import type { CallByHand } from '../../../src-shared/contract/conversations.ts'
import type { ConversationId, TurnId } from '../../../src-shared/contract/ids.ts'
import { PLAYGROUND_ID } from '../../../src-shared/contract/servers.ts'
import type { ToolCallByHand } from '../core/platform.ts'

/** A host whose shell asks; `say` answers, yes when absent. */
async function asking(say: () => boolean | Promise<boolean> = () => true) {
  const asked: ToolCallByHand[] = []
  const confirmCall = async (call: ToolCallByHand) => {
    asked.push(call)
    return say()
  }
  const chat = await chatHost({ platform: { confirmCall } })
  const call = (args = {}) => chat.host.byHand.call(PLAYGROUND_ID, 'echo', args, new AbortController().signal)
  const remember = async (scope: 'always' | 'conversation') => {
    const tool = chat.host.servers.tools.find(PLAYGROUND_ID, 'echo')
    if (!tool) throw new Error('There is no such tool')
    const draft = {
      serverId: tool.serverId,
      launchIdentity: tool.launchIdentity,
      tools: { echo: tool.fingerprint },
      powers: POWERS,
      limits: [{ is: 'any' as const }],
      scope,
    }
    const where = { conversationId: 'c' as ConversationId, turnId: 't' as TurnId }
    await chat.host.consent.rules.remember(draft, where, [tool])
  }
  return { chat, asked, call, remember }
}

describe('a call by hand from an untrusted page', () => {
  it('is sent once the person agreed to its server, tool and arguments', async () => {
    const { chat, asked, call } = await asking()
    await call({ text: 'hi' })
    expect(asked).toEqual([{ server: expect.any(String), tool: 'echo', args: { text: 'hi' } }])
    expect(chat.calls).toEqual([{ name: 'echo', arguments: { text: 'hi' } }])
  })

  it('shows its progress at most once per 100 ms (V26-PROG-4)', async () => {
    const clock = new ManualClock(1_000_000)
    const result = Promise.withResolvers<JsonObject>()
    const chat = await chatHost({
      clock,
      onCall: (params) => {
        const { progressToken } = params._meta as { progressToken: number }
        for (let at = 1; at <= 50; at++) {
          chat.server.notify('notifications/progress', { progressToken, progress: at, total: 50 })
        }
        return result.promise
      },
    })
    const shown: (CallByHand | undefined)[] = []
    await chat.host.topics.follow(`server/${PLAYGROUND_ID}`, (_seq, event) => {
      if (event !== 'gone' && event.type === 'calls.changed') shown.push(event.calls[0])
    })
    const begin = clock.now()
    const calling = chat.host.byHand.call(PLAYGROUND_ID, 'echo', { text: 'hi' }, new AbortController().signal)
    await until(() => {
      clock.advance(10)
      return shown.at(-1)?.progress?.progress === 50
    }, 'the last of the progress')
    const reached = shown.filter((call) => call?.progress)
    expect(reached.length).toBeLessThanOrEqual(1 + (clock.now() - begin) / 100)
    result.resolve({ content: [] })
    await calling
    expect(shown.at(-1)).toBeUndefined()
  })

  it.each(['gives a result', 'fails'])('says that the server’s question was not answered, where it then %s', async (how) => {
    const clock = new ManualClock(1_000)
    const result = Promise.withResolvers<JsonObject>()
    const chat = await chatHost({ clock, onCall: () => result.promise })
    const { byHand, servers } = chat.host
    const told = byHand.call(PLAYGROUND_ID, 'echo', { text: 'hi' }, new AbortController().signal).then(
      ({ warnings }) => warnings.join(),
      (error: Error) => error.message,
    )
    await until(() => chat.calls.length === 1, 'the call')
    const params = { message: 'Your name?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } }
    chat.server.send({ jsonrpc: '2.0', id: 'e', method: 'elicitation/create', params })
    await question(chat.host, 'elicitation-form')
    clock.advance(30 * 60_000)
    await chat.server.answerTo('e')
    if (how === 'fails') await servers.controls.stop(PLAYGROUND_ID)
    result.resolve({ content: [] })
    expect(await told).toMatch(/^You were asked for information and did not answer in time\.( The connection is closed\.|$)/)
  })

  it('is not sent when they say no, which is in the ledger (TOOL-10)', async () => {
    const { chat, call } = await asking(() => false)
    await expect(call()).rejects.toMatchObject({ code: 'refused', message: expect.stringContaining('Denied') })
    expect(chat.calls).toEqual([])
    expect(readLedger(chat.memory?.sqlite)).toMatchObject([{ tool: 'echo', decision: 'denied', outcome: 'declined: denied' }])
  })

  it('is refused where a rule of the person denies it', async () => {
    const { chat, asked, call } = await asking()
    await chat.host.consent.rules.add({ effect: 'deny', serverId: PLAYGROUND_ID, powers: [], limits: [] })
    await expect(call()).rejects.toMatchObject({ code: 'refused', message: expect.stringContaining('Your rule denies') })
    expect([asked, chat.calls]).toEqual([[], []])
    expect(readLedger(chat.memory?.sqlite)).toMatchObject([{ decision: 'denied-by-rule', outcome: 'declined: denied' }])
  })

  it('needs no question while the person always allows the current tool', async () => {
    const { chat, asked, call, remember } = await asking()
    await remember('always')
    await call()
    expect(asked).toEqual([])
    await chat.changeTools([{ ...ECHO, description: 'Says something else' }])
    await call()
    expect(asked.length).toBe(1)
    expect(chat.calls.length).toBe(2)
  })

  it('is asked about whatever is allowed in a conversation or claimed by the server (TOOL-11)', async () => {
    const { chat, asked, call, remember } = await asking()
    await chat.changeTools([{ ...ECHO, annotations: { readOnlyHint: true } }])
    await remember('conversation')
    await call()
    expect(asked.length).toBe(1)
  })

  it('is not sent to a server that restarted during the question', async () => {
    const answer = Promise.withResolvers<boolean>()
    const { chat, call } = await asking(() => answer.promise)
    const refused = expect(call()).rejects.toMatchObject({ code: 'conflict' })
    await chat.host.servers.controls.stop(PLAYGROUND_ID)
    await chat.host.servers.controls.start(PLAYGROUND_ID)
    await until(() => chat.servers.length === 2 && chat.host.servers.tools.all().length > 0, 'the new link')
    answer.resolve(true)
    await refused
    expect(chat.calls).toEqual([])
  })

  it('asks nobody when its server is not running', async () => {
    const { chat, asked, call } = await asking()
    await chat.host.servers.controls.stop(PLAYGROUND_ID)
    await expect(call()).rejects.toMatchObject({ code: 'unavailable' })
    expect(asked).toEqual([])
  })
})
