import { z } from 'zod'
import type { Id, JsonObject, JsonValue } from '../../src-shared/base/json.ts'
import type { HostRequestName, ParamsOf } from '../../src-shared/contract/requests.ts'
import { ROOT_LIMIT } from '../../src-shared/contract/roots.ts'
import { type Topic, URI_LIMIT } from '../../src-shared/contract/topics.ts'
import { LOG_LEVELS } from '../../src-shared/mcp/primitives.ts'

/** A window is not trusted: whatever it sends is bounded in length, in depth and in shape before anybody looks at it. */
const text = (longest: number) => z.string().max(longest)
const line = text(4096)
/** Ids are opaque; the brand says only who made it, and a wrong one is simply not found. */
const id = <Name extends string>() =>
  text(200)
    .min(1)
    .transform((value) => value as Id<Name>)
const count = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER)
const DEEPEST = 64
const MOST_VALUES = 100_000
const LONGEST_TEXT = 4 * 1024 * 1024

const json = z.custom<JsonValue>((value) => isBoundedJson(value), 'must be JSON of bounded size')
const jsonObject = z.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value) && isBoundedJson(value),
  'must be a JSON object of bounded size',
)

/** Walks without recursion, so that a deep value costs no stack. */
function isBoundedJson(root: unknown): boolean {
  let left = MOST_VALUES
  let characters = LONGEST_TEXT
  let level: unknown[] = [root]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) return false
    const below: unknown[] = []
    for (const value of level) {
      left -= 1
      if (typeof value === 'string') characters -= value.length
      else if (typeof value === 'object' && value !== null) {
        if (!Array.isArray(value)) for (const name of Object.keys(value)) characters -= name.length
        for (const inner of Object.values(value)) below.push(inner)
        if (below.length > left) return false
      } else if (value !== null && typeof value !== 'boolean' && !(typeof value === 'number' && Number.isFinite(value)))
        return false
      if (left < 0 || characters < 0) return false
    }
    level = below
  }
  return true
}

const nothing = z.strictObject({})
const serverId = id<'server'>()
const conversationId = id<'conversation'>()
const interactionId = id<'interaction'>()
const blob = z.string().regex(/^[0-9a-f]{64}$/)
const cursor = text(500).exactOptional()
const search = text(500).exactOptional()
const modelRef = z.strictObject({ provider: id<'provider'>(), model: text(300) })

const configValue = z.union([z.strictObject({ text: text(64 * 1024) }), z.strictObject({ secret: text(500) })])
const values = z.record(text(500), configValue).refine((all) => Object.keys(all).length <= 500, 'too many entries')
const launch = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('local'),
    command: line,
    args: z.array(text(64 * 1024)).max(1000),
    env: values,
    cwd: line.exactOptional(),
  }),
  z.strictObject({ type: z.literal('remote'), url: text(8192), headers: values }),
])
/** From a second to a day. */
const milliseconds = z.number().int().min(1000).max(86_400_000)
const serverOptions = z.strictObject({
  enabled: z.boolean().exactOptional(),
  requestTimeout: milliseconds.exactOptional(),
  maxRequestTime: milliseconds.exactOptional(),
  draftProfile: z.boolean().exactOptional(),
  sampling: z.enum(['off', 'ask', 'budget']).exactOptional(),
  samplingBudget: z.strictObject({ requests: count, tokens: count }).exactOptional(),
  muted: z.boolean().exactOptional(),
  hiddenTools: z.array(text(1000)).max(10_000).exactOptional(),
})
const serverConfig = z.strictObject({ name: text(500), launch, options: serverOptions.exactOptional() })

const settings = z.strictObject({
  theme: z.enum(['system', 'light', 'dark']).exactOptional(),
  defaultModel: modelRef.exactOptional(),
  roundLimit: z.number().int().min(1).max(1000).exactOptional(),
  questionLife: z.number().int().min(10_000).max(86_400_000).exactOptional(),
  toolShare: z.number().int().min(1).max(100).exactOptional(),
  welcomed: z.boolean().exactOptional(),
})
const providerConfig = z.strictObject({
  kind: z.enum(['anthropic', 'openai', 'openai-compatible']),
  name: text(200),
  baseUrl: text(2048).exactOptional(),
  models: z.array(text(300)).max(1000).exactOptional(),
})

const uri = text(URI_LIMIT).min(1)
/** Fields of a form: what a person filled in. */
const fields = z.record(text(1000), text(64 * 1024)).refine((all) => Object.keys(all).length <= 200, 'too many fields')
const toolName = text(1000)
const switches = z.strictObject({
  servers: z.array(id<'server'>()).max(1000),
  tools: z.array(z.strictObject({ serverId: id<'server'>(), tool: toolName })).max(2000),
})
const confirmed = z.boolean().exactOptional()
const tag = text(200)

const decline = z.strictObject({ decision: z.literal('decline') })
const role = z.enum(['user', 'assistant'])
const blockEdits = z.array(z.union([z.strictObject({ keep: count }), z.strictObject({ text: text(LONGEST_TEXT) })])).max(1000)
const samplingSend = z.strictObject({
  decision: z.literal('send'),
  model: modelRef,
  systemPrompt: text(LONGEST_TEXT).nullable().exactOptional(),
  messages: z.array(z.strictObject({ role, blocks: blockEdits })).max(1000),
  maxTokens: count.min(1),
  context: z.array(text(200)).max(100),
})
const elicitValue = z.union([text(LONGEST_TEXT), z.number(), z.boolean(), z.array(line).max(10_000)])
const elicitResult = z.strictObject({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z.record(text(1000), elicitValue).exactOptional(),
})
const folders = z.array(z.strictObject({ path: line, name: text(200).exactOptional() })).max(ROOT_LIMIT)

const answerTo = <K extends string, A extends z.ZodType>(kind: K, answer: A) =>
  z.strictObject({ id: interactionId, kind: z.literal(kind), answer })
const answer = z.discriminatedUnion('kind', [
  answerTo('server-trust', z.strictObject({ decision: z.enum(['allow', 'deny']) })),
  answerTo(
    'tool-consent',
    z.union([
      z.strictObject({ decision: z.literal('allow'), remember: z.enum(['once', 'conversation', 'always']) }),
      z.strictObject({ decision: z.literal('deny') }),
    ]),
  ),
  answerTo('sampling-request', z.union([samplingSend, decline])),
  answerTo(
    'sampling-result',
    z.union([
      z.strictObject({ decision: z.literal('return'), blocks: blockEdits }),
      z.strictObject({ decision: z.literal('again') }),
      decline,
    ]),
  ),
  answerTo('elicitation-form', elicitResult),
  answerTo('elicitation-url', elicitResult),
  answerTo('call-again', z.union([z.strictObject({ decision: z.literal('again') }), decline])),
  answerTo(
    'authorization',
    z.discriminatedUnion('decision', [
      z.strictObject({ decision: z.literal('continue') }),
      z.strictObject({ decision: z.literal('paste'), address: text(16 * 1024) }),
      z.strictObject({ decision: z.literal('cancel') }),
    ]),
  ),
  answerTo(
    'client-registration',
    z.union([
      z.strictObject({ decision: z.literal('register'), clientId: text(2048), clientSecret: text(4096).exactOptional() }),
      decline,
    ]),
  ),
  answerTo(
    'roots-request',
    z.union([
      z.strictObject({ decision: z.literal('share'), folders, remember: z.boolean() }),
      z.strictObject({ decision: z.literal('decline'), remember: z.boolean().exactOptional() }),
    ]),
  ),
])

/** One schema per request; the type makes a missing or wrong one an error of the compiler. */
export const REQUEST_SCHEMAS: { readonly [N in HostRequestName]: z.ZodType<ParamsOf<N>> } = {
  'server.add': z.strictObject({ config: serverConfig }),
  'server.change': z.strictObject({ serverId, config: serverConfig }),
  'server.remove': z.strictObject({ serverId }),
  'server.restore': z.strictObject({ serverId }),
  'server.setOptions': z.strictObject({ serverId, options: serverOptions }),
  'server.start': z.strictObject({ serverId }),
  'server.stop': z.strictObject({ serverId }),
  'server.setLogLevel': z.strictObject({ serverId, level: z.enum(LOG_LEVELS) }),
  'server.mute': z.strictObject({ serverId, muted: z.boolean() }),
  'server.authorize': z.strictObject({ serverId }),
  'server.cancelAuthorization': z.strictObject({ serverId }),
  'server.pasteRedirect': z.strictObject({ serverId, address: text(16 * 1024) }),
  'server.forgetAuthorization': z.strictObject({ serverId, everything: z.boolean() }),
  'server.resetBudget': z.strictObject({ serverId }),
  'roots.read': z.strictObject({ serverId }),
  'roots.set': z.strictObject({ serverId, folders: folders.nullable() }),
  'conversation.folders': z.strictObject({ id: conversationId }),
  'conversation.setFolders': z.strictObject({ id: conversationId, folders }),
  'server.liftSecrets': z.strictObject({ serverId }),
  'server.call': z.strictObject({ serverId, tool: text(1000), arguments: jsonObject, callId: id<'tool-call'>().exactOptional() }),
  'server.about': z.strictObject({ serverId }),
  'catalog.tools': z.strictObject({ serverId, cursor, search }),
  'catalog.tool': z.strictObject({ serverId, tool: text(1000) }),
  'catalog.resources': z.strictObject({ serverId, cursor, search }),
  'catalog.templates': z.strictObject({ serverId, cursor }),
  'catalog.prompts': z.strictObject({ serverId, cursor, search }),
  'catalog.refresh': z.strictObject({ serverId }),
  'resource.read': z.strictObject({ serverId, uri, confirmed }),
  'template.expand': z.strictObject({ serverId, uriTemplate: line, values: fields }),
  'template.variables': z.strictObject({ serverId, uriTemplate: line }),
  'prompt.get': z.strictObject({ serverId, prompt: toolName, arguments: fields }),
  'completion.complete': z.strictObject({
    serverId,
    of: z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('prompt'), name: toolName }),
      z.strictObject({ type: z.literal('template'), uriTemplate: line }),
    ]),
    argument: z.strictObject({ name: toolName, value: text(64 * 1024) }),
    context: fields.exactOptional(),
  }),
  'traffic.read': z.strictObject({ serverId, after: count.exactOptional() }),
  'conversation.create': z.strictObject({ model: modelRef.exactOptional() }),
  'conversation.rename': z.strictObject({ id: conversationId, title: text(1000) }),
  'conversation.setModel': z.strictObject({ id: conversationId, model: modelRef }),
  'conversation.remove': z.strictObject({ id: conversationId }),
  'conversation.restore': z.strictObject({ id: conversationId }),
  'conversation.page': z.strictObject({
    before: text(500).exactOptional(),
    pinned: z.boolean().exactOptional(),
    tag: tag.exactOptional(),
  }),
  'conversation.attachResource': z.strictObject({ id: conversationId, serverId, uri, confirmed }),
  'conversation.detach': z.strictObject({ id: conversationId, attachmentId: id<'attachment'>() }),
  'conversation.reattach': z.strictObject({ id: conversationId, attachmentId: id<'attachment'>() }),
  'conversation.refreshAttachment': z.strictObject({ id: conversationId, attachmentId: id<'attachment'>(), confirmed }),
  'conversation.attachPrompt': z.strictObject({ id: conversationId, preview: id<'prompt-preview'>(), run: z.boolean() }),
  'conversation.fork': z.strictObject({ id: conversationId, messageId: id<'message'>() }),
  'conversation.editAndResend': z.strictObject({ id: conversationId, messageId: id<'message'>(), text: text(LONGEST_TEXT) }),
  'conversation.pin': z.strictObject({ id: conversationId, pinned: z.boolean() }),
  'conversation.tag': z.strictObject({ id: conversationId, tags: z.array(tag).max(100) }),
  'conversation.tags': nothing,
  'conversation.setSwitches': z.strictObject({ id: conversationId, switches }),
  'conversation.export': z.strictObject({ id: conversationId, format: z.enum(['markdown', 'json']) }),
  'conversation.import': z.strictObject({ piece: text(512 * 1024), upload: text(100).exactOptional(), last: z.boolean() }),
  'context.read': z.strictObject({ id: conversationId }),
  'conversation.search': z.strictObject({ query: text(1000) }),
  'conversation.send': z.strictObject({ id: conversationId, text: text(LONGEST_TEXT) }),
  'message.page': z.strictObject({ id: conversationId, before: id<'message'>() }),
  'turn.cancel': z.strictObject({ id: conversationId }),
  'turn.retry': z.strictObject({ id: conversationId }),
  'turn.retryWith': z.strictObject({ id: conversationId, model: modelRef }),
  'toolCall.keepWaiting': z.strictObject({ toolCallId: id<'tool-call'>() }),
  'toolCall.cancel': z.strictObject({ id: conversationId, toolCallId: id<'tool-call'>() }),
  'interaction.answer': answer,
  'interaction.draft': z.strictObject({ id: interactionId, draft: json }),
  'interaction.declineAll': z.strictObject({ serverId }),
  'consent.list': nothing,
  'consent.revoke': z.strictObject({ id: id<'consent-rule'>() }),
  'settings.change': z.strictObject({ settings }),
  'provider.add': z.strictObject({ config: providerConfig, key: line.exactOptional() }),
  'provider.change': z.strictObject({ id: id<'provider'>(), config: providerConfig }),
  'provider.remove': z.strictObject({ id: id<'provider'>() }),
  'provider.setKey': z.strictObject({ id: id<'provider'>(), key: line.nullable() }),
  'provider.setWindow': z.strictObject({ id: id<'provider'>(), model: text(300).min(1), tokens: count.nullable() }),
  'provider.refresh': z.strictObject({ id: id<'provider'>() }),
  'provider.findLocal': nothing,
  'notice.dismiss': z.strictObject({ id: text(200) }),
  'blob.text': z.strictObject({ blob, offset: count }),
  'blob.head': z.strictObject({ blob }),
  'blob.link': z.strictObject({ blob: z.strictObject({ blob, bytes: count, mimeType: text(200) }) }),
  'blob.saveLink': z.strictObject({ blob: z.strictObject({ blob, bytes: count, mimeType: text(200) }), name: text(200) }),
  'platform.pickFolder': z.strictObject({ title: text(200) }),
  'folder.list': z.strictObject({ path: text(4096).exactOptional() }),
  'platform.openLink': z.strictObject({ url: text(8192) }),
}

export const isRequestName = (name: string): name is HostRequestName => Object.hasOwn(REQUEST_SCHEMAS, name)

const topic = z
  .string()
  .max(300 + URI_LIMIT)
  .regex(/^(?:conversation|server|resource)\/./s)
  .transform((value) => value as Topic)
const frameId = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER)

/** What a window may say; a request's params are judged by its own schema. */
export const FRAME_SCHEMA = z.discriminatedUnion('t', [
  z.strictObject({ t: z.literal('hello'), contract: z.number() }),
  z.strictObject({ t: z.literal('request'), id: frameId, name: text(100), params: z.unknown() }),
  z.strictObject({ t: z.literal('cancel'), id: frameId }),
  z.strictObject({ t: z.literal('open'), topic }),
  z.strictObject({ t: z.literal('close'), topic }),
])

export type CheckedFrame = z.infer<typeof FRAME_SCHEMA>
