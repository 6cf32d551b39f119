import { expect, it } from 'vitest'
import { until } from '../../../e2e/support/until.ts'
import { type ChatHost, chatHost } from '../../../e2e/test-hosts/chat-host.ts'
import { answer } from '../../../e2e/test-hosts/open-question.ts'
import { small } from '../../../e2e/test-hosts/server-host.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'

/** Adds the server with views under this name, and waits for its tools. */
async function add({ host }: ChatHost, name: string): Promise<ServerId> {
  const { serverId } = await host.servers.edits.add({ name, launch: small('app.mjs') })
  await answer(host, 'server-trust', { decision: 'allow' })
  await until(() => host.servers.tools.find(serverId, 'network'), 'its tools')
  return serverId
}

/** Shows the view that loads from elsewhere, and opens it as often as there are answers. */
async function opened(chat: ChatHost, ...answers: readonly (boolean | undefined)[]): Promise<unknown[]> {
  const id = await chat.say('Show it')
  await chat.answer('once')
  await chat.idle(id)
  const { id: call } = await chat.call(id)
  const views: unknown[] = []
  for (const network of answers) views.push(await chat.host.apps.open(id, call, network))
  return views
}

it('another server with a view of the same hosts asks again, and so does one that takes the name of a removed one (APP-24)', async () => {
  const calls = ['network', 'second__network', 'network'].map((call) => [{ call, args: {} }])
  const chat = await chatHost({ disk: true, tools: [], replies: calls.flatMap((call) => [call, ['Done.']]) })
  const { controls, edits } = chat.host.servers
  const asks = { is: 'asks', hosts: ['api.example.com', '*.cdn.example.com'] }
  const loads = { is: 'opened', network: true }
  const first = await add(chat, 'first')
  expect(await opened(chat, undefined, true, undefined)).toMatchObject([asks, loads, loads])
  await controls.stop(first)
  const second = await add(chat, 'second')
  expect(await opened(chat, undefined)).toMatchObject([asks])
  await edits.remove(first, second)
  await add(chat, 'first')
  expect(await opened(chat, undefined)).toMatchObject([asks])
})
