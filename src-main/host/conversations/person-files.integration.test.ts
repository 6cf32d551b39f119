import { deflateSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { packedPage } from '../../../e2e/servers/pdf/packed-page.ts'
import { pdfOf } from '../../../e2e/servers/pdf/write-pdf.mjs'
import { type ModelApi, startModelApi } from '../../../e2e/support/model-api.ts'
import { decoded, pngFrom, pngOf } from '../../../e2e/support/pictures.ts'
import { type ChatHost, type ChatOptions, chatHost } from '../../../e2e/test-hosts/chat-host.ts'
import { giveFile } from '../../../e2e/test-hosts/give-file.ts'
import { textOf } from '../../../e2e/test-hosts/scripted-provider.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import { imageTokens } from '../models/token-estimate.ts'
import { retryWith } from './conversation-branches.ts'

const SIZE = { width: 2000, height: 10 }
const PAPER = pdfOf([['Annual report', 'Sales went up by 12 %'], ['Outlook']])

async function withFile(name: string, bytes: Uint8Array, options: ChatOptions = {}) {
  const chat = await chatHost(options)
  const id = await chat.newConversation()
  const file = await giveFile(chat.host, id, name, bytes)
  return { chat, id, file }
}

async function sent(chat: ChatHost, id: ConversationId): Promise<string> {
  await chat.host.conversations.open(id, (one) => one.send('Look'))
  await chat.idle(id)
  return chat.model.request(-1).messages.map(textOf).join('\n')
}

describe('an image from the person', () => {
  it('reaches a model that sees in an accepted size, and another one as a note', async () => {
    const { chat, id, file } = await withFile('sea.jpg', pngOf(SIZE))
    // Its name does not matter.
    expect(file).toMatchObject({ file: 'image', title: 'sea.jpg', mimeType: 'image/png' })
    expect(await sent(chat, id)).toMatch(/image “sea\.jpg”[\s\S]*from 2000 × 10 to 1568 × 8 pixels\][\s\S]*\(image\)/)
    const [message] = chat.model.request(-1).messages
    const image = message?.role === 'user' ? message.content.find((block) => block.type === 'image') : undefined
    expect(await decoded(Buffer.from(image?.data ?? '', 'base64'))).toMatchObject({ width: 1568, height: 8 })

    chat.model.models = [{ id: 'scripted', name: 'Scripted', vision: false }]
    await chat.host.providers.refresh(chat.host.state.snapshot.settings.defaultModel.provider)
    const told = await sent(chat, id)
    expect(told).toMatch(/image “sea\.jpg”[\s\S]*shown to the person, not to you/)
    expect(told).not.toContain('(image)')
  })

  it('has the size in its header, even if it unpacks to more', async () => {
    const { file } = await withFile(
      'x.png',
      pngFrom({ width: 4, height: 4 }, deflateSync(Buffer.alloc(400_000_000), { level: 1 })),
    )
    const image = imageTokens('openai-compatible', { width: 4, height: 4 })
    expect(file.tokens).toBeGreaterThan(image)
    expect(file.tokens).toBeLessThan(image + 40)
  })

  it.each([
    ['that is cut off', pngOf({ width: 40, height: 40 }).subarray(0, 60), 'is cut off or damaged'],
    [
      'of more pixels than are let in',
      pngFrom({ width: 30_000, height: 30_000 }, deflateSync(Buffer.alloc(1000))),
      '64 million pixels',
    ],
  ])('%s is refused in words, and nothing of it stays', async (_what, bytes, why) => {
    const chat = await chatHost()
    const id = await chat.newConversation()
    await expect(giveFile(chat.host, id, 'x.png', bytes)).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining(why),
    })
    expect((await chat.storage.states.of(id)).attachments).toBeUndefined()
  })
})

describe('a PDF from the person', () => {
  it('reaches a model as its text where the API does not accept the file', async () => {
    const { chat, id, file } = await withFile('report.pdf', PAPER)
    expect(file).toMatchObject({ file: 'pdf', pages: 2, warnings: [] })
    expect(await sent(chat, id)).toMatch(/PDF file “report\.pdf”[\s\S]*Annual report\nSales went up by 12 %[\s\S]*Outlook/)
  })

  it('says when it has no text, and so does its note to the model', async () => {
    const { chat, id, file } = await withFile('scan.pdf', pdfOf([[]]))
    expect(file.warnings).toEqual([expect.stringContaining('No text was found')])
    expect(await sent(chat, id)).toContain('PDF file “scan.pdf”. It has no text that can be shown to you.]')
  })

  it.each([
    ['that is broken', Buffer.from('%PDF-1.7\nthis is no PDF at all'), 'is not a PDF that can be read'],
    [
      'that needs a password',
      pdfOf([['Secret']], {
        more: [`<< /Filter /Standard /V 1 /R 2 /P -44 /O <${'ab'.repeat(32)}> /U <${'cd'.repeat(32)}> >>`],
        trailer: '/Encrypt 4 0 R /ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>]',
      }),
      'needs a password',
    ],
  ])('%s is refused in words', async (_what, bytes, why) => {
    const chat = await chatHost()
    const id = await chat.newConversation()
    await expect(giveFile(chat.host, id, 'x.pdf', bytes)).rejects.toMatchObject({ message: expect.stringContaining(why) })
  })

  it('that unpacks to gigabytes gives no text, and the next one is read', async () => {
    const spaces = deflateSync(Buffer.alloc(700_000_000, 32), { level: 1 })
    const { chat, id, file } = await withFile('bomb.pdf', packedPage(deflateSync(spaces), '/FlateDecode /FlateDecode'))
    expect(file.warnings).toEqual([expect.stringContaining('No text was found')])
    await giveFile(chat.host, id, 'report.pdf', PAPER)
    expect(await sent(chat, id)).toContain('Annual report')
  })
})

describe('over a real API', () => {
  const apiOf = async (): Promise<ModelApi> => {
    const api = await startModelApi(() => ({ text: 'Seen.' }))
    onTestFinished(() => api.close())
    return api
  }
  /** The person's message as the API got it. */
  const given = (api: ModelApi) => {
    const body = api.requests.at(-1)?.body ?? {}
    const messages = [body.input ?? body.messages].flat() as readonly { role?: string; content?: unknown }[]
    return messages.find(({ role }) => role === 'user')?.content
  }
  const data = PAPER.toString('base64')
  const url = `data:application/pdf;base64,${data}`

  it.each([
    [
      'anthropic',
      'claude-sonnet-5-5',
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data }, title: 'report.pdf' },
    ],
    ['openai', 'gpt-5', { type: 'input_file', filename: 'report.pdf', file_data: url }],
    ['openai-compatible', 'llama3.2', { type: 'text', text: expect.stringContaining('Annual report') }],
  ] as const)('a PDF goes to %s in the accepted form', async (kind, model, block) => {
    const api = await apiOf()
    const { chat, id } = await withFile('report.pdf', PAPER, { api: { kind, url: api.url, model } })
    await chat.host.conversations.open(id, (one) => one.send('Sum it up'))
    await chat.idle(id)
    const content = given(api)
    if (kind === 'openai-compatible') expect(content).toContain('Annual report')
    else expect(content).toContainEqual(expect.objectContaining(block))
  })

  const SEES = { kind: 'anthropic', model: 'claude-sonnet-5-5' } as const
  const BLIND = { kind: 'openai', model: 'gpt-3.5-turbo' } as const
  const TABLE = Buffer.from(`name,price\n${'“Brötchen”,0.45\n'.repeat(300)}`)

  it.each([
    ['an image for a model that sees', SEES, 'sea.png', pngOf({ width: 800, height: 600 })],
    ['an image for a model that does not', BLIND, 'sea.png', pngOf({ width: 800, height: 600 })],
    ['a PDF for a model that takes them', SEES, 'report.pdf', PAPER],
    ['a PDF for a model that is given its text', BLIND, 'report.pdf', PAPER],
    ['a table', BLIND, 'prices.csv', TABLE],
    ['a file that is given in part', SEES, 'long.log', Buffer.from('line\n'.repeat(80_000))],
  ])('%s costs the same attached, waiting and sent', async (_what, model, name, bytes) => {
    const { url } = await apiOf()
    const { chat, id, file } = await withFile(name, bytes, { api: { ...model, url } })
    const [waiting] = (await chat.host.conversations.open(id, (one) => chat.host.meter.read(one))).attachments
    await chat.host.conversations.open(id, (one) => one.send(''))
    await chat.idle(id)
    const [message] = (await chat.host.conversations.open(id, (one) => chat.host.meter.read(one))).messages
    const [part] = (await chat.storage.messages.transcript(id)).messages[0]?.message.parts ?? []
    expect(part).toMatchObject({ type: 'file', title: name })
    const sent = part?.type === 'file' ? part.tokens : undefined
    expect([file.tokens, waiting?.tokens, sent]).toEqual(Array(3).fill(message?.tokens))
  })

  it('a file is counted for the model it is sent to, not the one it was attached for', async () => {
    const { url } = await apiOf()
    const { chat, id, file } = await withFile('sea.png', pngOf({ width: 800, height: 600 }), { api: { ...SEES, url } })
    const { provider } = (await chat.host.conversations.open(id, (one) => one.head)).model
    await chat.host.conversations.open(id, (one) =>
      one.changeHead((head) => ({ ...head, model: { provider, model: 'claude-2.1' } })),
    )
    const [waiting] = (await chat.host.conversations.open(id, (one) => chat.host.meter.read(one))).attachments
    expect(waiting?.tokens).toBeLessThan(file.tokens / 2)
    await chat.host.conversations.open(id, (one) => one.send(''))
    await chat.idle(id)
    const [part] = (await chat.storage.messages.transcript(id)).messages[0]?.message.parts ?? []
    expect(part).toMatchObject({ type: 'file', tokens: waiting?.tokens })
  })

  it('a sent file is counted for the model that answers again', async () => {
    const { url } = await apiOf()
    const { chat, id, file } = await withFile('sea.png', pngOf({ width: 800, height: 600 }), { api: { ...SEES, url } })
    const window = await chat.follow(id)
    await chat.host.conversations.open(id, (one) => one.send(''))
    await chat.idle(id)
    const { provider } = (await chat.host.conversations.open(id, (one) => one.head)).model
    await chat.host.conversations.open(id, (one) => retryWith(one, { provider, model: 'claude-2.1' }))
    await chat.idle(id)
    const [message] = (await chat.host.conversations.open(id, (one) => chat.host.meter.read(one))).messages
    expect(message?.tokens).toBeLessThan(file.tokens / 2)
    expect(window.value.messages[0]?.parts).toMatchObject([{ type: 'file', tokens: message?.tokens }])
    expect(window.value).toEqual(await chat.storage.conversations.open(id, 200))
  })

  it('a PDF beyond one request’s limit goes as its text, and so do those after the first that fit', async () => {
    const api = await apiOf()
    const pages = (count: number, word: string) => pdfOf(Array.from({ length: count }, () => [word]))
    const { chat, id } = await withFile('long.pdf', pages(101, 'Longest'), {
      api: { kind: 'anthropic', url: api.url, model: 'claude-sonnet-5-5' },
    })
    await giveFile(chat.host, id, 'first.pdf', pages(60, 'First'))
    await giveFile(chat.host, id, 'second.pdf', pages(60, 'Second'))
    await chat.host.conversations.open(id, (one) => one.send('Compare'))
    await chat.idle(id)
    const content = JSON.stringify(given(api))
    expect(content.match(/"title":"[^"]*"/g)).toEqual(['"title":"first.pdf"'])
    expect(content).toContain('Longest')
    expect(content).toContain('Second')
    expect(content).not.toContain('First\\n')
  })

  it('a file comes back from an export in another folder and goes to the model again', async () => {
    const { chat, id } = await withFile('report.pdf', PAPER)
    await giveFile(chat.host, id, 'sea.png', pngOf(SIZE))
    await giveFile(chat.host, id, 'notes.txt', Buffer.from('milk '.repeat(2000)))
    await sent(chat, id)
    const { url: name, leftOut } = await chat.host.conversationFiles.export([id], 'json')
    const piece = Buffer.from(await chat.host.storage.blobs.read(name)).toString('utf8')
    const api = await apiOf()
    const other = await chatHost({ api: { kind: 'anthropic', url: api.url, model: 'claude-sonnet-5-5' } })
    const taken = await other.host.conversationFiles.import({ piece, last: true })
    if (taken.is !== 'imported') throw new Error('It was not imported.')
    expect({ leftOut, warnings: taken.warnings }).toEqual({ leftOut: 0, warnings: [] })
    const files = async (one: ChatHost, of: ConversationId) =>
      (await one.storage.messages.transcript(of)).messages[0]?.message.parts
    expect(await files(other, taken.ids[0]!)).toEqual(await files(chat, id))
    await other.host.conversations.open(taken.ids[0]!, (one) => one.send('Go on'))
    await other.idle(taken.ids[0]!)
    const types = [given(api)].flat().map((block) => (block as { type: string }).type)
    expect(types).toContain('document')
    expect(types).toContain('image')
    expect(JSON.stringify(given(api))).toContain('milk milk')
  })
})
