import { expect, it } from 'vitest'
import { until } from '../../../e2e/support/until.ts'
import { chatHost } from '../../../e2e/test-hosts/chat-host.ts'
import { answer } from '../../../e2e/test-hosts/open-question.ts'
import { small } from '../../../e2e/test-hosts/server-host.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'

const many = Array.from({ length: 200 }, (_, at) => ({
  name: `tool_${at}`,
  description: 'Does something else '.repeat(30),
  inputSchema: { type: 'object' as const },
}))

it('a server that is off is named to the model that looks for its tools, and to the person, and is not started', async () => {
  const search = (query: string) => [{ call: 'find_tools', args: { query } }]
  const chat = await chatHost({
    tools: many,
    replies: [search('log a text'), ['It is off.'], search('tool_7'), ['Found.'], search('log a text'), ['Found it.']],
  })
  const { servers, conversations } = chat.host
  const other = 'other' as ServerId
  await servers.edits.add({ name: 'other', launch: small('ok.mjs') })
  await answer(chat.host, 'server-trust', { decision: 'allow' })
  const state = () => servers.configured.find(other)?.record.state.is
  await until(() => state() === 'ready', 'the other server')
  await servers.controls.setOptions(other, { enabled: false })
  await until(() => state() === 'stopped', 'its stop')

  const id = await chat.say('log it')
  await chat.idle(id)
  expect(chat.model.told('call-1')).toContain('The server “other” has such tools and is off.')
  expect(await chat.call(id, 0)).toMatchObject({ tool: 'find_tools', foundOff: [other] })
  expect(state()).toBe('stopped')

  await conversations.open(id, (one) => one.send('something else'))
  await chat.idle(id)
  expect(chat.model.told('call-2')).not.toContain('is off')
  expect((await chat.call(id, 1)).foundOff).toBeUndefined()

  await servers.controls.setOptions(other, { enabled: true })
  await conversations.open(id, (one) => one.send('log it again'))
  await chat.idle(id)
  expect((await chat.call(id, 2)).foundOff).toBeUndefined()
})
