import type { Confirm, ResourceContent, ResourceItem } from '../../../src-shared/contract/attachments.ts'
import type { BlobRef, BoundedText } from '../../../src-shared/contract/blobs.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { ModelRef } from '../../../src-shared/contract/settings.ts'
import { URI_LIMIT } from '../../../src-shared/contract/topics.ts'
import type { Annotations, ResourceContents } from '../../../src-shared/mcp/content.ts'
import { uriProblem } from '../../../src-shared/mcp/uri.ts'
import { expandUriTemplate, parseUriTemplate, templateVariables, UriTemplateError } from '../../../src-shared/mcp/uri-template.ts'
import { type BlobSink, boundText, cut, InlineBudget, knownMime } from '../core/content-views.ts'
import { ExpiringHolds } from '../core/expiring-holds.ts'
import type { HostCore } from '../core/host-core.ts'
import { attachmentTokens, measuringReader } from '../models/attachment-tokens.ts'
import { isForPersonAlone } from '../models/large-results.ts'
import type { ToldResource } from '../models/model-content.ts'
import type { Providers } from '../models/providers.ts'
import type { ConnectionOffer } from '../servers/kept-offers.ts'
import { type PersonRules, refuseDenied } from '../servers/person-rules.ts'
import type { Servers } from '../servers/servers.ts'
import { resourceFailure } from './resource-errors.ts'

/** Listed bytes above which a read asks first. */
const ASK_TO_READ = 8 * 1024 * 1024
/** Bytes kept of one read. */
const READ_LIMIT = 32 * 1024 * 1024
/** Attaching more than either asks again (RES-31). */
const ASK_BYTES = 512 * 1024
const ASK_TOKENS = 20_000
const ITEM_LIMIT = 64
const DESCRIPTION_LIMIT = 300
const WARNING_LIMIT = 8
const PREVIEW_INLINE = 24 * 1024

interface ResourcesParts extends Pick<HostCore, 'storage' | 'clock' | 'state' | 'lifetime'> {
  readonly providers: Providers
  readonly servers: Servers
  readonly rules: PersonRules
}

interface FetchedResource extends Omit<ResourceContent, 'confirm' | 'tokens'> {
  readonly mimeType?: string
}

/** Reads resources for people, always through the server and never from the disk or the web (RES-17, RES-18). */
export class Resources {
  readonly #parts: ResourcesParts
  readonly #held: ExpiringHolds

  constructor(parts: ResourcesParts) {
    this.#parts = parts
    this.#held = new ExpiringHolds(parts)
  }

  /** Reads a resource for a preview, whose content is in memory only. */
  async read(
    serverId: ServerId,
    uri: string,
    signal: AbortSignal,
    confirmed = false,
  ): Promise<{ is: 'read'; resource: ResourceContent } | Confirm> {
    const ask = this.askToRead(serverId, uri)
    if (ask && !confirmed) return ask
    const hold = this.#parts.storage.blobs.hold()
    try {
      const resource = await this.fetch(serverId, uri, signal, hold, PREVIEW_INLINE)
      this.#held.add(hold)
      // No conversation is chosen yet.
      const tokens = await this.tokens(resource, this.#parts.state.snapshot.settings.defaultModel)
      const why = askToAttach({ ...resource, tokens })
      const { mimeType: _mimeType, ...shown } = resource
      return { is: 'read', resource: { ...shown, tokens, ...(why && { confirm: why }) } }
    } catch (error) {
      hold.release()
      throw error
    }
  }

  /** Reads a resource and stores its content in `keep`; at most `inline` bytes of text stay inline. */
  async fetch(serverId: ServerId, uri: string, signal: AbortSignal, keep: BlobSink, inline: number): Promise<FetchedResource> {
    checkUri(uri)
    await refuseDenied(this.#parts.rules, serverId, 'resources/read', { uri })
    const server = this.#parts.servers.configured.get(serverId)
    const serverName = server.record.name
    const result = await this.#parts.servers.calls
      .forPerson(serverId, { tool: uri, is: 'read', signal }, (client, how) => client.readResource(uri, how))
      .catch((error) => {
        throw signal.aborted ? error : resourceFailure(error, serverName, uri)
      })
    const listed = server.offer?.catalog.resources.find((one) => one.uri === uri)
    const warnings = result.warnings.slice(0, WARNING_LIMIT).map((warning) => cut(warning, 300))
    const { items, bytes } = await this.#items(result.contents, keep, inline, warnings)
    const mimeType = listed?.mimeType ?? items[0]?.mimeType
    return {
      serverId,
      serverName,
      uri,
      title: cut(listed?.title || listed?.name || uri, 200),
      ...(listed?.description && { description: cut(listed.description, DESCRIPTION_LIMIT) }),
      ...(mimeType !== undefined && { mimeType: knownMime(mimeType) }),
      items,
      bytes,
      ...(listed?.annotations && { annotations: boundedAnnotations(listed.annotations) }),
      readAt: this.#parts.clock.now(),
      warnings,
    }
  }

  /** Tokens that it costs as an attachment with this model. */
  async tokens(resource: ToldResource, model: ModelRef): Promise<number> {
    const traits = this.#parts.providers.traitsOf(model)
    return attachmentTokens(resource, measuringReader(this.#parts.storage.blobs, model, traits), traits)
  }

  /** The question before a very large resource is read, by its listed size. */
  askToRead(serverId: ServerId, uri: string): Confirm | undefined {
    const size = this.#catalog(serverId).resources.find((one) => one.uri === uri)?.size
    if (size === undefined || size <= ASK_TO_READ) return undefined
    return { is: 'confirm', why: `It is large: the server says ${megabytes(size)}. Read it?`, bytes: size }
  }

  variables(serverId: ServerId, uriTemplate: string): { variables: readonly string[] } {
    return { variables: templateVariables(this.#template(serverId, uriTemplate)) }
  }

  expand(serverId: ServerId, uriTemplate: string, values: Readonly<Record<string, string>>): { uri: string } {
    const template = this.#template(serverId, uriTemplate)
    const unknown = Object.keys(values).find((name) => !templateVariables(template).includes(name))
    if (unknown !== undefined) throw new HostError('invalid-params', `The template has no variable “${cut(unknown, 80)}”.`)
    // An empty field is an undefined variable (RFC 6570, section 2.4.2).
    const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
    const uri = expandUriTemplate(template, filled)
    checkUri(uri)
    return { uri }
  }

  #template(serverId: ServerId, uriTemplate: string) {
    const listed = this.#catalog(serverId).templates.some((one) => one.uriTemplate === uriTemplate)
    if (!listed) throw new HostError('not-found', 'The server no longer lists this template.')
    try {
      return parseUriTemplate(uriTemplate)
    } catch (error) {
      if (error instanceof UriTemplateError) throw new HostError('invalid-params', `This is not a URI template: ${error.message}`)
      throw error
    }
  }

  #catalog(serverId: ServerId): ConnectionOffer['catalog'] {
    const server = this.#parts.servers.configured.get(serverId)
    return server.offer?.catalog ?? server.clients.get().catalog.value
  }

  async #items(contents: readonly ResourceContents[], keep: BlobSink, inline: number, warnings: string[]) {
    const budget = new InlineBudget(inline)
    const items: ResourceItem[] = []
    let bytes = 0
    for (const one of contents.slice(0, ITEM_LIMIT)) {
      const size = 'text' in one ? Buffer.byteLength(one.text) : Math.floor((one.blob.length / 4) * 3)
      if (bytes + size > READ_LIMIT) {
        if (items.length === 0) throw new HostError('refused', `It is larger than ${megabytes(READ_LIMIT)} and was not kept.`)
        warnings.push(`Everything beyond ${megabytes(READ_LIMIT)} was left out.`)
        break
      }
      bytes += size
      items.push(await itemOf(one, keep, budget))
    }
    if (contents.length > ITEM_LIMIT) warnings.push(`${contents.length - ITEM_LIMIT} more contents were left out.`)
    return { items, bytes }
  }
}

/** The question before a resource is attached; undefined when none is needed. */
export function askToAttach(resource: Pick<ResourceContent, 'bytes' | 'tokens' | 'annotations'>): string | undefined {
  if (isForPersonAlone(resource.annotations?.audience)) {
    return 'The server says this is for you only. You will see it in the conversation; the model will not.'
  }
  if (resource.tokens > ASK_TOKENS)
    return `It costs about ${resource.tokens.toLocaleString('en')} tokens in every request. Attach it?`
  if (resource.bytes > ASK_BYTES) return `It is large: ${megabytes(resource.bytes)}. Attach it?`
  return undefined
}

/** Throws HostError `invalid-params` (RES-20). */
function checkUri(uri: string): void {
  if (uri.length > URI_LIMIT) throw new HostError('invalid-params', `The address is longer than ${URI_LIMIT} characters.`)
  const problem = uriProblem(uri)
  if (problem) throw new HostError('invalid-params', `“${cut(uri, 200)}” is not a valid address: ${problem}.`)
}

async function itemOf(one: ResourceContents, keep: BlobSink, budget: InlineBudget): Promise<ResourceItem> {
  const frame = { uri: cut(one.uri, 512), ...(one.mimeType !== undefined && { mimeType: knownMime(one.mimeType) }) }
  // The client has checked that it is strict base64 (SCHEMA-17).
  const content: BoundedText | BlobRef =
    'text' in one
      ? await boundText(one.text, keep, budget)
      : await keep.put(Buffer.from(one.blob, 'base64'), frame.mimeType ?? 'application/octet-stream')
  return { ...frame, content }
}

function boundedAnnotations({ audience, priority, lastModified }: Annotations): Annotations {
  return {
    ...(audience && { audience: audience.slice(0, 2) }),
    ...(priority !== undefined && { priority }),
    ...(lastModified !== undefined && { lastModified: cut(lastModified, 40) }),
  }
}

const megabytes = (bytes: number): string => `${(bytes / (1024 * 1024)).toFixed(1)} MB`
