import { describe, expect, it } from 'vitest'
import { decoded, pngOf } from '../../../e2e/support/pictures.ts'
import { until } from '../../../e2e/support/until.ts'
import { chatHost } from '../../../e2e/test-hosts/chat-host.ts'
import { question, returnOn, sendOn } from '../../../e2e/test-hosts/open-question.ts'
import { textOf } from '../../../e2e/test-hosts/scripted-provider.ts'
import { PLAYGROUND_ID } from '../../../src-shared/contract/servers.ts'

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

/** A sampling request with these images, and the first of them as the person is shown it. */
async function sampled(...images: readonly string[]) {
  const content = images.map((data) => ({ type: 'image', data, mimeType: 'image/png' }))
  const chat = await chatHost()
  void chat.server.ask('sampling/createMessage', { messages: [{ role: 'user', content }], maxTokens: 10 }, 1)
  const { question: shown } = await question(chat.host, 'sampling-request')
  const block = shown.messages[0]?.blocks[0]
  if (block?.type !== 'image') throw new Error('There is no image.')
  return { chat, host: chat.host, name: block.blob.blob }
}

describe('an image of a sampling request', () => {
  it('is shown by reference and sent unchanged (SAMP-26)', async () => {
    const image = base64(pngOf({ width: 1, height: 1 }))
    const { chat, host, name } = await sampled(image)
    expect(base64(await host.storage.blobs.read(name))).toBe(image)
    await sendOn(host)
    await returnOn(host)
    expect(chat.model.request(0).messages[0]).toMatchObject({ content: [{ type: 'image', data: image }] })
    await until(async () => !(await host.storage.blobs.has(name)), 'the image to be forgotten')
  })

  it('is sent in a type the model accepts, and the person is shown the original', async () => {
    const large = base64(pngOf({ width: 2000, height: 20 }))
    const { chat, host, name } = await sampled(large, base64(Buffer.from('no picture')))
    expect(base64(await host.storage.blobs.read(name))).toBe(large)
    await sendOn(host)
    await returnOn(host)
    const [message] = chat.model.request(0).messages
    const content = message?.role === 'user' ? message.content : []
    expect(content.map(({ type }) => type)).toEqual(['text', 'image', 'text'])
    expect(content[0]).toMatchObject({ text: expect.stringContaining('from 2000 × 20 to 1568 × 16 pixels') })
    const sent = content[1]?.type === 'image' ? content[1].data : ''
    expect(await decoded(Buffer.from(sent, 'base64'))).toMatchObject({ width: 1568, height: 16 })
    expect(content[2]).toMatchObject({ text: expect.stringContaining('not to you') })
  })
})

it('an attached image reaches a model that sees as an image, and one that does not as a note', async () => {
  const uri = 'photo://today'
  const contents = [{ uri, mimeType: 'application/x-photo', blob: base64(pngOf({ width: 2000, height: 10 })) }]
  const chat = await chatHost({
    capabilities: { resources: {} },
    answers: { 'resources/list': () => ({ resources: [{ uri, name: 'today' }] }), 'resources/read': () => ({ contents }) },
  })
  const { host, model } = chat
  const seen = async () => {
    const id = await chat.newConversation()
    await host.conversations.open(id, (one) => one.attachments.attach(PLAYGROUND_ID, uri, new AbortController().signal))
    await host.conversations.open(id, (one) => one.send('Look'))
    await chat.idle(id)
    return textOf(model.request(-1).messages[0]!)
  }
  expect(await seen()).toMatch(/from 2000 × 10 to 1568 × 8 pixels\][\s\S]*\(image\)/)
  model.models = [{ id: 'scripted', name: 'Scripted', vision: false }]
  await host.providers.refresh(host.state.snapshot.settings.defaultModel.provider)
  expect(await seen()).toContain('shown to the person, not to you')
})
