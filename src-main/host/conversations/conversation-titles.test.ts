import { describe, expect, it } from 'vitest'
import { until } from '../../../e2e/support/until.ts'
import { type ChatHost, type ChatOptions, chatHost } from '../../../e2e/test-hosts/chat-host.ts'
import { textOf } from '../../../e2e/test-hosts/scripted-provider.ts'
import { DEMO_MODEL, type ModelRef } from '../../../src-shared/contract/settings.ts'
import { editAndResend } from './conversation-branches.ts'
import { titleFrom } from './conversation-titles.ts'

/** A host whose titles are written by its model, or another. */
async function titled(options: ChatOptions, model?: ModelRef): Promise<ChatHost> {
  const chat = await chatHost(options)
  await chat.host.settings.change({ titleModel: model ?? chat.host.settings.current.defaultModel })
  return chat
}

const shown = (chat: ChatHost) => chat.host.state.snapshot.conversations[0]?.title
const asked = (chat: ChatHost, requests: number) => until(() => chat.model.requests.length === requests, `${requests} requests`)
const forever = new Promise<void>(() => {})

describe('a title from a model', () => {
  it('is requested once after the first answer, without tools, in a bounded request of its own', async () => {
    const chat = await titled({ replies: [[`Rome has ${'many '.repeat(2_000)}hills.`], ['"Trip to Rome".\nand more']] })
    const id = await chat.say(`Plan ${'a long '.repeat(1_000)}trip to Rome`)
    await until(() => shown(chat) === 'Trip to Rome', 'the title')
    const request = chat.model.request(1)
    expect(request).toMatchObject({ tools: [], maxTokens: 500, purpose: 'title' })
    expect(request.messages).toHaveLength(1)
    expect(request.messages.map(textOf).join('').length).toBeLessThan(4_200)
    await chat.host.conversations.open(id, (one) => one.send('And Naples?'))
    await asked(chat, 3)
    await chat.idle(id)
    expect(chat.model.requests.map(({ purpose }) => purpose)).toEqual([undefined, 'title', undefined])
    expect(shown(chat)).toBe('Trip to Rome')
  })

  it('is not requested where the person gave one before the answer', async () => {
    const gate = Promise.withResolvers<void>()
    const chat = await titled({ replies: [[{ wait: gate.promise }, 'Yes.'], ['Other words']] })
    const id = await chat.say('Plan a trip')
    await chat.host.conversations.open(id, (one) => one.rename('Mine'))
    gate.resolve()
    await chat.idle(id)
    await chat.say('Another')
    await asked(chat, 3)
    expect(chat.model.requests.map(({ purpose }) => purpose)).toEqual([undefined, undefined, 'title'])
    expect((await chat.host.conversations.open(id, (one) => one.head)).title).toBe('Mine')
  })

  it('does not replace one that the person gives meanwhile', async () => {
    const gate = Promise.withResolvers<void>()
    const chat = await titled({ replies: [['Yes.'], [{ wait: gate.promise }, 'Other words'], ['Yes.'], ['Better']] })
    const id = await chat.say('Plan a trip')
    await asked(chat, 2)
    await chat.host.conversations.open(id, (one) => one.rename('Mine'))
    gate.resolve()
    await chat.say('Another')
    await until(() => shown(chat) === 'Better', 'the next title')
    expect((await chat.host.conversations.open(id, (one) => one.head)).title).toBe('Mine')
  })

  it('is requested once there is an answer, even if the first reply was stopped', async () => {
    const chat = await titled({ replies: [[{ wait: forever }], ['Rome has hills.'], ['Trip to Rome']] })
    const id = await chat.say('Plan a trip')
    await asked(chat, 1)
    await chat.host.conversations.open(id, (one) => one.cancel())
    await chat.host.conversations.open(id, (one) => one.send('To Rome, I mean'))
    await until(() => shown(chat) === 'Trip to Rome', 'the title')
    expect(chat.model.request(2).messages.map(textOf).join()).toMatch(/Plan a trip\nTo Rome.*has hills/s)
  })

  it('follows an edited first message', async () => {
    const off = await chatHost({ replies: [['Yes.'], ['Yes.']] })
    const id = await off.say('Plan a trip')
    await off.idle(id)
    const [first] = (await off.follow(id)).value.messages
    await off.host.conversations.open(id, (one) => editAndResend(one, first!.id, 'Plan a party'))
    await off.idle(id)
    expect((await off.host.conversations.open(id, (one) => one.head)).title).toBe('Plan a party')
    await off.host.conversations.open(id, (one) => one.rename('Mine'))
    const [again] = (await off.follow(id)).value.messages
    await off.host.conversations.open(id, (one) => editAndResend(one, again!.id, 'Plan a feast'))
    await off.idle(id)
    expect((await off.host.conversations.open(id, (one) => one.head)).title).toBe('Mine')
  })

  it('is not requested while titles are off, of the Demo model, or after an unfinished turn', async () => {
    const off = await chatHost()
    await off.idle(await off.say('Hello there'))
    const demo = await titled({}, DEMO_MODEL)
    await demo.idle(await demo.say('Hello there'))
    const stopped = await titled({ replies: [[{ fail: new Error('no') }]] })
    await stopped.idle(await stopped.say('Hello there'))
    for (const chat of [off, demo, stopped]) {
      expect(chat.model.requests).toHaveLength(1)
      expect(shown(chat)).toBe('Hello there')
    }
  })

  it('leaves the first words when it fails, and gives the reason only where asked', async () => {
    const chat = await titled({ replies: [['Yes.'], [{ fail: new Error('no') }], ['Yes.'], ['Better']] })
    await chat.say('Hello there')
    await until(() => chat.host.titles.problem, 'the remark')
    expect(shown(chat)).toBe('Hello there')
    expect(chat.host.state.snapshot.notices).toEqual([])
    await chat.say('Another')
    await until(() => shown(chat) === 'Better', 'the title')
    expect(chat.host.titles.problem).toBeUndefined()
  })

  it('is off again when its provider is removed', async () => {
    const chat = await titled({})
    await chat.host.providers.remove(chat.host.settings.current.defaultModel.provider)
    expect(chat.host.settings.current.titleModel).toBeNull()
  })
})

describe('the model’s answer', () => {
  it.each([
    ['Trip to Rome', 'Trip to Rome'],
    ['  "Trip to Rome."  ', 'Trip to Rome'],
    ['# Title: **Trip to Rome**\n\nBecause you asked', 'Trip to Rome'],
    ['\n\n—\nReise nach Köln', 'Reise nach Köln'],
    ['a\u202egnp.exe\u0007\u200b\u2066b\u001b[31m', 'agnp.exeb[31m'],
    ['a\u2028b', 'a'],
    ['…!?', ''],
    ['', ''],
    ['<script>x</script>', '<script>x</script>'],
    ['旅行の計画', '旅行の計画'],
  ])('%j becomes the title %j', (reply, title) => {
    expect(titleFrom(reply)).toBe(title)
  })

  it('is cut at eighty characters', () => {
    expect(titleFrom('word '.repeat(100))).toHaveLength(80)
  })
})
