import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { until } from '../../../e2e/support/until.ts'
import { chatHost } from '../../../e2e/test-hosts/chat-host.ts'
import { PLAYGROUND_ID } from '../../../src-shared/contract/servers.ts'

/** A chat whose server starts again, and answers once `answers` is resolved; and its turn, which waits. */
async function waitingTurn() {
  const clock = new ManualClock()
  const answers = Promise.withResolvers<void>()
  let introductions = 0
  const beforeSend = ({ method }: { method?: string }) =>
    method === 'initialize' && ++introductions === 2 ? answers.promise : undefined
  const chat = await chatHost({ clock, beforeSend: (message) => beforeSend(message as { method?: string }) })
  const { servers, state } = chat.host
  void servers.controls.restart(PLAYGROUND_ID)
  await until(() => introductions === 2 && state.snapshot.servers[PLAYGROUND_ID]?.state.is === 'starting', 'the second start')
  const id = await chat.say('hello')
  const window = await chat.follow(id)
  const turn = () => {
    // Windows get events in batches.
    clock.advance(1)
    return window.value.turn
  }
  await until(() => turn()?.waiting?.on === 'servers', 'the turn to wait')
  expect(window.value.turn?.waiting?.servers).toEqual([PLAYGROUND_ID])
  expect(chat.model.requests).toEqual([])
  const finished = () => until(() => turn()?.status === 'finished', 'the reply')
  return { answers, chat, clock, id, finished }
}

describe('a turn while a server starts', () => {
  it('waits, and offers the tools that the server has then', async () => {
    const { answers, chat, finished } = await waitingTurn()
    answers.resolve()
    await finished()
    expect(chat.model.requests[0]?.tools.map(({ name }) => name)).toContainEqual(expect.stringContaining('echo'))
  })

  it('goes on at once when the person sends without it', async () => {
    const { chat, id, finished } = await waitingTurn()
    await chat.host.conversations.open(id, (one) => one.skipServers())
    await finished()
    expect(chat.model.requests).toHaveLength(1)
    expect(chat.host.state.snapshot.servers[PLAYGROUND_ID]?.state.is).toBe('starting')
  })

  it('goes on after half a minute', async () => {
    const { chat, clock, finished } = await waitingTurn()
    clock.advance(30_000)
    await finished()
    expect(chat.model.requests).toHaveLength(1)
  })

  it('ends when the person stops it', async () => {
    const { chat, id } = await waitingTurn()
    await chat.host.conversations.open(id, (one) => one.cancel())
    expect((await chat.storage.messages.latestTurn(id))?.status).toBe('stopped')
    expect(chat.model.requests).toEqual([])
  })
})
