import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MemoryFolder, memoryStorage } from '../../../e2e/support/storage/memory-storage.ts'
import { isObject } from '../../../src-shared/base/json.ts'
import type { BlobRef } from '../../../src-shared/contract/blobs.ts'
import type { SamplingRequestQuestion } from '../../../src-shared/contract/sampling.ts'
import { DEMO_MODEL } from '../../../src-shared/contract/settings.ts'
import type { CreateMessageParams, SamplingMessage } from '../../../src-shared/mcp/client-requests.ts'
import type { ContentBlock, SamplingContent } from '../../../src-shared/mcp/content.ts'
import type { Tool } from '../../../src-shared/mcp/primitives.ts'
import { TransientBlobs } from '../core/transient-blobs.ts'
import { type FitImage, unseenNote } from '../models/model-images.ts'
import { editedMessages, fittedMessages } from './sampling-blocks.ts'
import { toolNames } from './sampling-names.ts'
import { checkSize, requestQuestion, roomForTexts } from './sampling-questions.ts'
import { modelRequest } from './sampling-request.ts'

const WORD = fc.string({ unit: 'binary', maxLength: 30 })
const TEXT = fc.oneof(
  { weight: 4, arbitrary: WORD },
  fc.tuple(WORD, fc.integer({ min: 1, max: 6_000 }), WORD).map(([head, n, tail]) => `${head}${'äb '.repeat(n)}${tail}`),
)
const NAME = fc.string({ unit: fc.constantFrom(...'abcXYZ019_-./: ü'), minLength: 1, maxLength: 128 })
const LABEL = fc.oneof(NAME, TEXT)
const MIME = fc.constantFrom('image/png', 'image/x!y', 'image/png; as told: ignore the rest', 'text/html')
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const BYTES = fc
  .tuple(fc.constantFrom([], PNG), fc.uint8Array({ minLength: 1, maxLength: 40 }))
  .map(([head, rest]) => Uint8Array.from([...head, ...rest]))
const MEDIA = { data: BYTES.map(base64), mimeType: MIME }
const JSON_OBJECT = fc.dictionary(WORD, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }) as fc.Arbitrary<Record<string, unknown>>
const ANNOTATIONS = fc.constant({ audience: ['user' as const], priority: 1 })

const said = fc.record({ type: fc.constant('text' as const), text: TEXT })
const image = fc.record({ type: fc.constant('image' as const), ...MEDIA })
const part: fc.Arbitrary<ContentBlock> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: TEXT, annotations: ANNOTATIONS }, { requiredKeys: ['type', 'text'] }),
  image,
  fc
    .record({ uri: LABEL, text: TEXT, mimeType: LABEL }, { requiredKeys: ['uri', 'text'] })
    .map((resource) => ({ type: 'resource' as const, resource })),
  fc.record({ uri: LABEL, blob: MEDIA.data }).map((resource) => ({ type: 'resource' as const, resource })),
  fc.record({ type: fc.constant('resource_link' as const), uri: LABEL, name: LABEL }),
  fc.record({ type: fc.constant('unknown' as const), kind: WORD, reason: WORD, raw: JSON_OBJECT }),
)
const use = fc.record({ name: NAME, input: JSON_OBJECT, content: fc.array(part, { maxLength: 4 }), isError: fc.boolean() })
const exchange = fc
  .tuple(fc.array(said, { maxLength: 2 }), fc.array(use, { minLength: 1, maxLength: 3 }), NAME)
  .map(([texts, uses, id]): readonly SamplingMessage[] => [
    {
      role: 'assistant',
      content: [
        ...texts,
        ...uses.map(({ name, input }, n) => ({ type: 'tool_use' as const, id: `${n}${id}`.slice(0, 128), name, input })),
      ],
    },
    {
      role: 'user',
      content: uses.map(({ content, isError }, n) => {
        const toolUseId = `${n}${id}`.slice(0, 128)
        return { type: 'tool_result' as const, toolUseId, content, isError, structuredContent: { of: id } }
      }),
    },
  ])
const message = fc.oneof(
  fc
    .array(fc.oneof(said, image) as fc.Arbitrary<SamplingContent>, { minLength: 1, maxLength: 3 })
    .map((content): readonly SamplingMessage[] => [{ role: 'user', content }]),
  said.map((content): readonly SamplingMessage[] => [{ role: 'assistant', content }]),
  exchange,
)
/** Often with words of its own where the schema has some, too. */
const tool: fc.Arbitrary<Tool> = fc
  .record(
    {
      name: NAME,
      title: TEXT,
      description: TEXT,
      inputSchema: fc
        .record({ description: TEXT, title: TEXT, properties: JSON_OBJECT }, { requiredKeys: [] })
        // A member is a schema, which JSON of any kind stands for here.
        .map((schema) => ({ type: 'object' as const, ...schema }) as Tool['inputSchema']),
    },
    { requiredKeys: ['name', 'inputSchema'] },
  )
  .map((made) => made as Tool)
const request: fc.Arbitrary<CreateMessageParams> = fc
  .record(
    {
      messages: fc.array(message, { minLength: 1, maxLength: 4 }).map((all) => all.flat()),
      maxTokens: fc.constant(100),
      systemPrompt: TEXT,
      temperature: fc.double({ min: 0, max: 2, noNaN: true }),
      stopSequences: fc.array(TEXT, { maxLength: 40 }),
      metadata: fc.record({ user_id: LABEL, other: LABEL }),
      tools: fc.uniqueArray(tool, { selector: ({ name }) => name, maxLength: 6 }),
      toolChoice: fc.constantFrom({ mode: 'auto' as const }, { mode: 'required' as const }, {}),
    },
    { requiredKeys: ['messages', 'maxTokens'] },
  )
  .map((made) => made as CreateMessageParams)

describe('the review of a sampling request', () => {
  it('has every string that the model would get, or a link to it (SAMP-04)', async () => {
    await fc.assert(
      fc.asyncProperty(request, async (params) => {
        checkSize(params)
        const { carried, sent, question } = await reviewed(params)
        const missing = [...words(sent)].filter((word) => !carried.has(word))
        expect(missing.map((word) => word.slice(0, 100))).toEqual([])
        expect(Buffer.byteLength(JSON.stringify(question))).toBeLessThan(32 * 1024)
      }),
      { numRuns: 300 },
    )
  })

  it('links the whole of a long address, and shows a tool’s title and both descriptions', async () => {
    const uri = `https://host.example/${'a'.repeat(3_000)}/end`
    const results = [{ type: 'resource_link' as const, uri, name: 'far' }]
    const schema = { type: 'object' as const, description: 'Its schema says this' }
    const { question, whole } = await reviewed({
      ...PLAIN,
      messages: [...PLAIN.messages, ...used('t', 'u', results)],
      tools: [
        { name: 'both', title: 'Not sent', description: 'It says this', inputSchema: schema },
        { name: 'my.tool', title: 'Only a title', inputSchema: schema },
      ],
    })
    const [tool, titled] = question.tools
    expect(tool?.description.text).toBe('It says this')
    expect(JSON.parse(tool?.schema.json ?? '')).toEqual(schema)
    expect(titled).toMatchObject({ name: 'my.tool', sentAs: 'my_tool', description: { text: 'Only a title' } })
    const link = question.messages.at(-1)?.blocks.flatMap((block) => (block.type === 'tool_result' ? block.content : []))[0]
    expect(link?.type === 'resource_link' && link.whole && (await whole(link.whole))).toBe(uri)
  })

  it('shows an image as its true type, whatever the server calls it', async () => {
    const data = base64(Uint8Array.from([...PNG, 0]))
    const picture = { type: 'image' as const, data, mimeType: 'text/html' }
    const messages = [{ role: 'user' as const, content: picture }, ...used('t', 'u', [picture])]
    const { question } = await reviewed({ ...PLAIN, messages })
    expect(JSON.stringify(question).match(/"mimeType":"[^"]+"/g)).toEqual(Array(2).fill('"mimeType":"image/png"'))
  })

  it.each([
    ['a name of a tool', { tools: [named('t'.repeat(129))] }, 'at most 128 characters'],
    ['an id of a use', { messages: used('t', 'u'.repeat(129), []) }, 'at most 128 characters'],
    ['names in all', { tools: Array.from({ length: 32 }, (_, n) => named(`${n}${'ü'.repeat(120)}`)) }, 'bytes together'],
  ])('refuses %s that would not fit in the question, and says why (SAMP-33)', (_what, change, why) => {
    expect(() => checkSize({ ...PLAIN, ...change })).toThrow(
      expect.objectContaining({ code: -32602, message: expect.stringContaining(why) }),
    )
  })
})

const PLAIN: CreateMessageParams = { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], maxTokens: 100 }

/** A use of a tool with what it returned. */
function used(name: string, id: string, content: readonly ContentBlock[]): readonly SamplingMessage[] {
  return [
    { role: 'assistant', content: { type: 'tool_use', id, name, input: {} } },
    { role: 'user', content: { type: 'tool_result', toolUseId: id, content } },
  ]
}

function named(name: string): Tool {
  return { name, inputSchema: { type: 'object' } }
}

/** The text that a person reads, and the request that is sent when they change nothing. */
async function reviewed(params: CreateMessageParams) {
  const blobs = new TransientBlobs(memoryStorage(new MemoryFolder()).blobs)
  const model = { model: DEMO_MODEL, name: 'Demo' }
  const facts = { model: DEMO_MODEL, reason: '', models: [model], tokenCap: 100, inputTokens: 1, offers: [], left: undefined }
  const question = await requestQuestion(params, facts, blobs.hold(), roomForTexts(params, [model]))
  const kept = question.messages.map(({ role, blocks }) => ({ role, blocks: blocks.map(({ n }) => ({ keep: n })) }))
  const sent = modelRequest(params, {
    model: 'demo',
    system: params.systemPrompt ?? '',
    messages: await fittedMessages(editedMessages(kept, params), fitImage),
    maxTokens: 100,
    names: toolNames(params.tools),
  })
  const whole = async ({ blob }: BlobRef) => Buffer.from(await blobs.read(blob)).toString('utf8')
  return { question, sent, carried: await carriedBy(question, blobs), whole }
}

/** Every other image cannot be shown to the model, which is then told so. */
const fitImage: FitImage = async (source) => {
  const bytes = await source.read()
  if (bytes.length % 2 === 1) return UNSEEN
  return { is: 'image', bytes, mimeType: 'image/png', size: { width: 1, height: 1 } }
}
const UNSEEN = { is: 'unseen', why: 'broken' } as const

/** The texts of the question and behind its links. JSON is read; texts of one message that are sent as one count as one, too. */
async function carriedBy(question: SamplingRequestQuestion, blobs: TransientBlobs): Promise<ReadonlySet<string>> {
  const carried = new Set<string>(OURS)
  const whole = async ({ blob }: BlobRef) => Buffer.from(await blobs.read(blob))
  const look = async (value: unknown): Promise<void> => {
    if (Array.isArray(value)) for (const one of value) await look(one)
    else if (!isObject(value)) carried.add(String(value))
    else if (isBlob(value)) {
      carried.add((await whole(value)).toString('utf8')).add((await whole(value)).toString('base64'))
      carried.add(unseenNote(`image, ${value.mimeType}`, UNSEEN))
    } else if (typeof value.json === 'string') {
      const json = isBlob(value.whole) ? (await whole(value.whole)).toString('utf8') : value.json
      for (const word of words(JSON.parse(json))) carried.add(word)
    } else for (const one of Object.values(value)) await look(one)
  }
  await look(question)
  for (const { blocks } of question.messages) {
    const texts: string[] = []
    for (const block of blocks) {
      if (block.type === 'text') texts.push(block.whole ? (await whole(block.whole)).toString('utf8') : block.text)
    }
    carried.add(texts.join('\n'))
  }
  return carried
}

/** Every text and name in a value, however deep. */
function* words(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (Array.isArray(value)) for (const one of value) yield* words(one)
  else if (isObject(value)) {
    for (const [name, one] of Object.entries(value)) {
      yield name
      yield* words(one)
    }
  }
}

/** The words of a model's request that are this host's: its members, and the model that the person chose. */
const OURS = [
  ...['model', 'system', 'messages', 'tools', 'maxTokens', 'temperature', 'stopSequences', 'toolChoice', 'userId', 'purpose'],
  ...['role', 'content', 'text', 'toolCalls', 'id', 'name', 'arguments', 'callId', 'toolName', 'isError', 'type', 'data'],
  ...['mimeType', 'size', 'width', 'height', 'description', 'inputSchema', 'demo', 'sampling', 'image', 'image/png', 'tool', ''],
]

function isBlob(value: unknown): value is BlobRef {
  return isObject(value) && typeof value.blob === 'string'
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}
