import fc from 'fast-check'
import { expect, it } from 'vitest'
import { memoryStorage } from '../../../e2e/support/storage/memory-storage.ts'
import type { Id } from '../../../src-shared/base/json.ts'
import type { ResourceAttachment } from '../../../src-shared/contract/attachments.ts'
import type { BoundedText, ContentView } from '../../../src-shared/contract/blobs.ts'
import type { MessagePart, ToolCallResult } from '../../../src-shared/contract/conversations.ts'
import { isGivenInPart, type ModelReader, modelContent, partContent } from './model-content.ts'

const attached = (bytes: number, audience?: 'user' | 'assistant'): ResourceAttachment => ({
  ...{ id: 'a' as Id<'attachment'>, title: 'a', size: bytes, tokens: 1, attachedAt: 0, warnings: [], subscribed: false },
  ...{ serverId: 's' as Id<'server'>, serverName: 's', uri: 'x:/a' },
  items: [{ uri: 'x:/a', content: { text: 'head', whole: { blob: 'b'.repeat(64), bytes, mimeType: 'text/plain' } } }],
  ...(audience && { annotations: { audience: [audience] } }),
})

it('a long attachment is marked as shortened, unless it is for people alone and left out', () => {
  expect(isGivenInPart(attached(256 * 1024))).toBe(false)
  expect(isGivenInPart(attached(256 * 1024 + 1))).toBe(true)
  expect(isGivenInPart(attached(256 * 1024 + 1, 'assistant'))).toBe(true)
  expect(isGivenInPart(attached(256 * 1024 + 1, 'user'))).toBe(false)
})

/** The words that a listener gets of the content that `give` would give to a model. */
async function heard(reader: ModelReader, give: (reader: ModelReader) => Promise<unknown>, room = 0) {
  const texts: string[] = []
  let whole = true
  const hear = (text: string, all: boolean) => {
    texts.push(text)
    whole &&= all
  }
  await give({ blobs: reader.blobs, listener: { remaining: room, onText: hear } })
  return { text: texts.join('\n'), whole }
}

const storage = memoryStorage()
let made = 0
/** Words that nothing else has, in a text of about so many bytes. */
const words = (bytes: number) => {
  const all: string[] = []
  for (let length = 0; length < bytes; length += 9) {
    made += 1
    all.push(`w${String(made).padStart(7, '0')}`)
  }
  return all.join(' ')
}
const bounded = async (bytes: number): Promise<BoundedText> => {
  const text = words(bytes)
  if (bytes < 1_024) return { text }
  return { text: text.slice(0, 1_024), whole: await storage.blobs.put(text, 'text/plain') }
}
const sizes = fc.oneof(fc.integer({ min: 9, max: 900 }), fc.integer({ min: 1_024, max: 60_000 }), fc.constant(450_023))
const foreign = (given: readonly { type: string }[]) =>
  given.flatMap((one) => ('text' in one ? (String(one.text).match(/w\d+/g) ?? []) : []))

it('a listener hears every foreign word that a model gets of a result, however it is shortened', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(sizes, { minLength: 1, maxLength: 5 }),
      sizes,
      fc.boolean(),
      async (blocks, structured, handles) => {
        const content: ContentView[] = [
          { type: 'resource_link', name: words(9), title: words(9), uri: `x:/${words(9)}` } as ContentView,
          { type: 'unknown', kind: words(9) } as ContentView,
          { type: 'image', blob: { blob: 'a'.repeat(64), bytes: 3, mimeType: `image/${words(9)}` } } as ContentView,
          ...(await Promise.all(blocks.map(async (bytes) => ({ type: 'text', ...(await bounded(bytes)) }) as ContentView))),
          { type: 'resource', uri: `x:/${words(9)}`, content: await bounded(2_000) } as ContentView,
        ]
        const { text, whole } = await bounded(structured)
        const result: ToolCallResult = {
          isError: false,
          content,
          structured: { json: text, ...(whole && { whole }) },
          warnings: [],
        }
        const give = (reader: ModelReader) => modelContent(result, { tool: 't', serverName: 's' }, reader)
        const given = foreign(await give({ blobs: storage.blobs, ...(handles && { shortened: new Set<string>() }) }))
        const known = new Set((await heard({ blobs: storage.blobs }, give)).text.match(/w\d+/g))
        // A word that is cut in two is in no text of the model that would not be cut elsewhere.
        expect(given.filter((word) => word.length === 8 && !known.has(word))).toEqual([])
        expect(given.length).toBeGreaterThan(5)
      },
    ),
    { numRuns: 25 },
  )
})

it('a listener hears every word that a model gets of a part of a message', async () => {
  const id = { ...attached(9), title: words(9), uri: `x:/${words(9)}`, description: words(9) }
  const parts: MessagePart[] = [
    { type: 'text', ...(await bounded(600_000)) },
    {
      type: 'resource',
      ...id,
      items: [
        { uri: `x:/${words(9)}`, content: await bounded(300_000) },
        { uri: 'x:/b', content: await bounded(90_000) },
      ],
    },
    { type: 'content', content: { type: 'resource', uri: `x:/${words(9)}`, content: await bounded(90_000) } as ContentView },
    {
      type: 'file',
      file: 'text',
      ...{ ...id, title: words(9) },
      items: [{ uri: 'x:/c', content: await bounded(300_000) }],
    } as MessagePart,
  ]
  for (const part of parts) {
    const give = (reader: ModelReader) => partContent(part, { serverName: 's' }, reader)
    for (const handles of [{}, { shortened: new Set<string>() }]) {
      const given = foreign(await give({ blobs: storage.blobs, ...handles }))
      const known = new Set((await heard({ blobs: storage.blobs }, give)).text.match(/w\d+/g))
      expect([part.type, given.filter((word) => word.length === 8 && !known.has(word))]).toEqual([part.type, []])
      expect(given.length).toBeGreaterThan(100)
    }
  }
})

it('a listener is told where a text has more than it hears', async () => {
  const result = async (bytes: number): Promise<ToolCallResult> => ({
    ...{ isError: false, warnings: [] },
    content: [{ type: 'text', ...(await bounded(bytes)) }],
  })
  const listened = async (bytes: number, room: number) => {
    const one = await result(bytes)
    return (await heard({ blobs: storage.blobs }, (reader) => modelContent(one, { tool: 't', serverName: 's' }, reader), room))
      .whole
  }
  expect(await listened(20_000, 0)).toBe(true)
  expect(await listened(100_000, 0)).toBe(false)
  expect(await listened(100_000, 200_000)).toBe(true)
})
