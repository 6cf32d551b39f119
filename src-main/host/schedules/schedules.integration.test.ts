import { expect, it, onTestFinished } from 'vitest'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { startModelApi } from '../../../e2e/support/model-api.ts'
import { until } from '../../../e2e/support/until.ts'
import { chatHost } from '../../../e2e/test-hosts/chat-host.ts'
import { PLAYGROUND_ID } from '../../../src-shared/contract/servers.ts'

const HOUR = 60 * 60_000

it('A run of a model over HTTP waits with its question over a restart, is answered an hour later, and goes on', async () => {
  const replies = [{ calls: [{ name: 'echo', arguments: '{"text":"a"}' }] }, { text: 'Echoed.' }]
  const served = await startModelApi((_request, n) => replies[n] ?? { text: 'No more.' })
  onTestFinished(() => served.close())
  const api = { kind: 'openai-compatible', url: served.url, model: 'm' } as const
  const clock = new ManualClock(new Date(2026, 5, 1, 8, 59).getTime())
  const first = await chatHost({ clock, api, disk: true })
  const { id } = await first.host.schedules.add({
    ...{ name: 'Morning', prompt: 'Echo a.', time: { is: 'at', minute: 9 * 60, days: [1] }, project: null, model: null },
    ...{ servers: [PLAYGROUND_ID], tokens: 100_000, minutes: 5, missed: 'once' },
  })
  clock.advance(60_000)
  await first.host.schedules.look()
  await first.question()
  await first.end()
  clock.advance(HOUR)
  const chat = await chatHost({ clock, api, after: first })
  expect(chat.host.schedules.read(id).runs).toMatchObject([{ is: 'running' }])
  await chat.answer('once')
  const run = await until(() => chat.host.schedules.read(id).runs.find(({ is }) => is === 'finished'), 'the end of the run')
  expect(chat.host.schedules.read(id).runs).toHaveLength(1)
  const { items } = await chat.storage.ledger.page({ ...(run.conversation && { conversationId: run.conversation }), limit: 10 })
  expect(items).toMatchObject([{ tool: 'echo', decision: 'allowed-by-person' }])
})
