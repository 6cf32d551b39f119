import type { Clock } from '../../../src-shared/base/clock.ts'
import { isObject, type JsonObject } from '../../../src-shared/base/json.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { SkillRef } from '../../../src-shared/contract/skills.ts'
import { SKILLS } from '../../../src-shared/mcp/extensions.ts'
import type { Client } from '../../client/client.ts'
import type { Servers } from '../servers/servers.ts'
import { type ListedFile, type ListedSkill, listedSkill, MAX_FILES, SkillError } from './skill-text.ts'

const MAX_SKILLS = 200
const MAX_PAGES = 20
const MAX_URI = 2048
/** Milliseconds that a list is used at least, whatever the server says, and without its word. */
const LEAST_TTL = 10_000

interface Listing {
  readonly until: number
  /** The version of the server's catalog: after a change of its resources the list is read again. */
  readonly catalog: number
  readonly skills: readonly ListedSkill[]
}

interface ServerSkillsParts {
  readonly servers: Servers
  readonly clock: Clock
}

/** The skills that servers offer. Only lists are read, until the person or a model opens one (SKILL-3). */
export class ServerSkills {
  readonly #parts: ServerSkillsParts
  /** By connection, so that no list outlives it or reaches another server (SKILL-6). */
  readonly #listings = new WeakMap<Client, Listing>()

  constructor(parts: ServerSkillsParts) {
    this.#parts = parts
  }

  /** Servers that declare skills, of those that run or start when needed. */
  offering(): readonly ServerId[] {
    const { configured } = this.#parts.servers
    return configured.all().flatMap(({ id, offer }) => (offer?.hello.capabilities.extensions?.[SKILLS] ? [id] : []))
  }

  async list(serverId: ServerId, signal: AbortSignal): Promise<readonly ListedSkill[]> {
    const { clock } = this.#parts
    const { client, serverName } = await this.#started(serverId, signal)
    const known = this.#listings.get(client)
    const catalog = client.catalog.value.version
    if (known && known.catalog === catalog && clock.now() < known.until) return known.skills
    const { skills, ttl } = await listedBy(client, { serverId, serverName }, signal)
    const listing = { until: clock.now() + Math.max(LEAST_TTL, ttl), catalog, skills }
    this.#listings.set(client, listing)
    return listing.skills
  }

  /** The entry as the server gives it now. Throws SkillError. */
  async get(serverId: ServerId, uri: string, signal: AbortSignal): Promise<ListedSkill> {
    const { client, serverName } = await this.#started(serverId, signal)
    const skill = readEntry(await client.getSkill(uri, { signal }), { serverId, serverName })
    if (skill?.head.ref.uri !== uri) throw new SkillError('The server answered with another skill.')
    return skill
  }

  /** The bytes of one file, from the skill's own server. Throws SkillError. */
  async read(skill: ListedSkill, path: string, signal: AbortSignal): Promise<Uint8Array> {
    const { client } = await this.#started(skill.head.ref.serverId, signal)
    return fileBytes(client, skill, path, signal)
  }

  async #started(
    serverId: SkillRef['serverId'],
    signal: AbortSignal,
  ): Promise<{ readonly client: Client; readonly serverName: string }> {
    const server = serverId && this.#parts.servers.configured.find(serverId)
    const client = server && (await server.clients.next(signal))
    if (!client) throw new SkillError('Its server is not connected.')
    return { client, serverName: server.record.name }
  }
}

interface SkillServer {
  readonly serverId: ServerId
  readonly serverName: string
}

/** All pages of a server's list, each skill once and as it came last, and the milliseconds for which it says that they hold. */
export async function listedBy(
  client: Client,
  server: SkillServer,
  signal: AbortSignal,
): Promise<{ readonly skills: readonly ListedSkill[]; readonly ttl: number }> {
  const skills = new Map<string, ListedSkill>()
  let cursor: string | undefined
  let ttl = 0
  for (let page = 0; page < MAX_PAGES && skills.size < MAX_SKILLS; page++) {
    const { entries, nextCursor, ttl: said = 0 } = await client.listSkills(cursor, { signal })
    ttl = said
    for (const entry of entries) {
      const skill = readEntry(entry, server)
      if (skill) skills.set(skill.head.ref.uri, skill)
    }
    cursor = nextCursor
    if (cursor === undefined) break
  }
  return { skills: [...skills.values()].slice(0, MAX_SKILLS), ttl }
}

/** The bytes of one file, unverified. Throws SkillError. */
export async function fileBytes(client: Client, skill: ListedSkill, path: string, signal: AbortSignal): Promise<Uint8Array> {
  const uri = skillFileUri(skill, path)
  const { contents } = await client.readResource(uri, { signal })
  const found = contents.find((one) => one.uri === uri)
  if (!found) throw new SkillError(`The server gave no file “${path.slice(0, 200)}”.`)
  return 'text' in found ? Buffer.from(found.text, 'utf8') : Buffer.from(found.blob, 'base64')
}

export const skillFileUri = ({ head: { ref } }: ListedSkill, path: string) => folderOf(ref.uri) + path

const folderOf = (uri: string) => uri.slice(0, uri.lastIndexOf('/') + 1)

/** Undefined for an entry without a usable URI. */
function readEntry(entry: unknown, { serverId, serverName }: SkillServer): ListedSkill | undefined {
  if (!isObject(entry) || typeof entry.uri !== 'string' || entry.uri.length > MAX_URI) return undefined
  if (!/^[a-z][a-z0-9+.-]*:\/\/.+\/SKILL\.md$/i.test(entry.uri)) return undefined
  const about = { ref: { serverId, uri: entry.uri }, serverName }
  const frontmatter = isObject(entry.frontmatter) ? (entry.frontmatter as JsonObject) : {}
  // Files that may change at any time cannot be approved (SKILL-7).
  if (entry.resources === 'dynamic')
    return listedSkill(
      { ...about, problem: 'Its files may change at any time, so reviewing it once is not enough.' },
      frontmatter,
      [],
    )
  const files = readFiles(entry.resources, folderOf(entry.uri))
  if (typeof files === 'string') return listedSkill({ ...about, problem: files }, frontmatter, [])
  return listedSkill(about, frontmatter, files)
}

/** The files of an entry, or why they are refused. */
function readFiles(resources: unknown, folder: string): readonly ListedFile[] | string {
  if (!Array.isArray(resources) || resources.length > MAX_FILES) return `It does not list its files, or more than ${MAX_FILES}.`
  const files = new Map<string, ListedFile>()
  for (const one of resources) {
    if (!isObject(one)) return 'One of its files is not described.'
    const { uri, digest, size } = one
    const path = typeof uri === 'string' && uri.length <= MAX_URI && uri.startsWith(folder) ? uri.slice(folder.length) : ''
    if (path === '' || path.split('/').some((part) => part === '' || part === '.' || part === '..'))
      return 'One of its files is outside of it.'
    const hex = typeof digest === 'string' ? /^sha256:([0-9a-f]{64})$/.exec(digest)?.[1] : undefined
    if (hex === undefined) return `The digest of “${path.slice(0, 80)}” is not valid.`
    if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0)
      return `The size of “${path.slice(0, 80)}” is not valid.`
    if (files.has(path)) return `“${path.slice(0, 80)}” is listed twice.`
    files.set(path, { path, size, digest: hex })
  }
  return [...files.values()]
}
