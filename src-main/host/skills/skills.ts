import { type FSWatcher, watch } from 'node:fs'
import { isAbsolute } from 'node:path'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import {
  type ListedSkills,
  type SkillRef,
  type SkillSwitch,
  type SkillText,
  sameSkill,
} from '../../../src-shared/contract/skills.ts'
import type { HostCore } from '../core/host-core.ts'
import { asHostError } from '../core/host-errors.ts'
import { type AskedReading, type PersonRules, refuseDenied } from '../servers/person-rules.ts'
import type { Servers } from '../servers/servers.ts'
import { ServerSkills, skillFileUri } from './server-skills.ts'
import { readOwnFile, skillsIn } from './skill-folder.ts'
import { type ListedSkill, MAX_TEXT, SkillError, verifiedText } from './skill-text.ts'

/** Milliseconds without a change before windows are told: editors write in several steps. */
const QUIET = 200

interface SkillsParts extends Pick<HostCore, 'settings' | 'state' | 'folders' | 'clock' | 'lifetime'> {
  readonly servers: Servers
  readonly rules: PersonRules
}

export interface SkillReader {
  readonly conversationId: ConversationId
  /** Throws unless the person allows the reading. */
  readonly ask: (reading: AskedReading) => Promise<void>
}

/** Skills of the person's folder and of servers: listed, shown, and given to models where they are on (decision 0043). */
export class Skills {
  readonly #parts: SkillsParts
  readonly #ofServers: ServerSkills
  #watcher: FSWatcher | undefined
  #watched = ''
  #cancel = () => {}

  constructor(parts: SkillsParts) {
    this.#parts = parts
    this.#ofServers = new ServerSkills(parts)
    this.#watch()
    const { lifetime, state } = parts
    lifetime.onEnd(state.onEvent((_seq, event) => event.type === 'settings.changed' && this.#watch()))
    lifetime.onEnd(() => {
      this.#cancel()
      this.#watcher?.close()
    })
  }

  /** Empty for none. Throws HostError `refused` for a folder that no person chose. */
  async setFolder(path: string): Promise<void> {
    const { folders, settings } = this.#parts
    if (path !== '') {
      folders.check(path)
      if (!isAbsolute(path)) throw new HostError('invalid-params', 'Choose a folder of this computer.')
    }
    await settings.change({ skillFolder: path })
  }

  async list(signal: AbortSignal): Promise<ListedSkills> {
    const { skills, problems } = await this.#all(signal)
    return { skills: skills.map(({ head }) => head), problems }
  }

  /** One file of a skill as it is now. Throws HostError. */
  async read(ref: SkillRef, path: string, signal: AbortSignal): Promise<SkillText> {
    const skill = await this.#find(ref, signal)
    const { head } = skill
    const files = skill.files.map((file) => ({ path: file.path, size: file.size }))
    if (head.problem !== undefined) return { head, path, files }
    return { head, path, files, text: await this.#text(skill, path, signal) }
  }

  /** The skills that are on and unchanged since, each with the name by which the model asks for it. */
  async on(switches: readonly SkillSwitch[], signal: AbortSignal): Promise<ReadonlyMap<string, ListedSkill>> {
    const named = new Map<string, ListedSkill>()
    if (switches.length === 0) return named
    const { skills } = await this.#all(signal, new Set(switches.map(({ serverId }) => serverId)))
    for (const skill of skills) {
      const { ref, fingerprint, problem, name, serverName } = skill.head
      const seen = switches.some((one) => sameSkill(one, ref) && one.seen === fingerprint)
      if (!seen || problem !== undefined) continue
      // Names of strangers never take the place of another one (SKILL-1).
      const wanted = serverName === undefined ? name : `${name} of ${serverName}`
      let key = wanted
      for (let count = 2; named.has(key); count++) key = `${wanted} (${count})`
      named.set(key, skill)
    }
    return named
  }

  /**
   * The text of one file for a model, by its path or, as skills of servers name their files, by its URI. Only if the skill is still as
   * the person saw it (SKILL-5). Throws HostError.
   */
  async load(
    { head: { ref, fingerprint } }: ListedSkill,
    path: string,
    signal: AbortSignal,
    reader?: SkillReader,
  ): Promise<string> {
    const now = await this.#find(ref, signal)
    if (now.head.fingerprint !== fingerprint || now.head.problem !== undefined)
      throw new HostError('refused', 'This skill has changed since the person turned it on, so it is off.')
    const folder = ref.serverId === undefined ? '' : skillFileUri(now, '')
    return this.#text(now, folder !== '' && path.startsWith(folder) ? path.slice(folder.length) : path, signal, reader)
  }

  /** Without `reader` the person reads it, whose press is the answer to a rule that asks. */
  async #text(skill: ListedSkill, path: string, signal: AbortSignal, reader?: SkillReader): Promise<string> {
    const listed = skill.files.find((file) => file.path === path)
    if (listed && listed.size > MAX_TEXT)
      throw new HostError('refused', `“${path.slice(0, 200)}” is larger than ${MAX_TEXT / 1024} KiB.`)
    try {
      if (!listed) throw new SkillError(`The skill has no file “${path.slice(0, 200)}”.`)
      const { ref, name, serverName = '' } = skill.head
      const { serverId } = ref
      if (serverId) {
        const uri = skillFileUri(skill, path)
        const held = await refuseDenied(this.#parts.rules, serverId, 'resources/read', { uri }, reader?.conversationId)
        if (held) await reader?.ask({ ...held, skill: name, serverId, serverName, uri })
      }
      const { skillFolder } = this.#parts.settings.current
      const bytes = serverId ? await this.#ofServers.read(skill, path, signal) : await readOwnFile(skillFolder, skill, path)
      return await verifiedText(skill, path, bytes)
    } catch (error) {
      signal.throwIfAborted()
      throw problemOf(error)
    }
  }

  /** The skill as its source lists it now. Throws HostError. */
  async #find(ref: SkillRef, signal: AbortSignal): Promise<ListedSkill> {
    try {
      if (ref.serverId) return await this.#ofServers.get(ref.serverId, ref.uri, signal)
      const { skillFolder } = this.#parts.settings.current
      const own = skillFolder === '' ? [] : await skillsIn(skillFolder)
      const found = own.find(({ head }) => sameSkill(head.ref, ref))
      if (found) return found
    } catch (error) {
      signal.throwIfAborted()
      throw problemOf(error)
    }
    throw new HostError('not-found', 'This skill no longer exists.')
  }

  /** `wanted` limits the sources, with undefined for the person's own folder. */
  async #all(
    signal: AbortSignal,
    wanted?: ReadonlySet<SkillRef['serverId']>,
  ): Promise<{ readonly skills: readonly ListedSkill[]; readonly problems: readonly string[] }> {
    const { settings, servers } = this.#parts
    const { skillFolder } = settings.current
    const problems: string[] = []
    const own = async () => {
      if (skillFolder === '' || (wanted && !wanted.has(undefined))) return []
      return skillsIn(skillFolder).catch((error: unknown) => {
        problems.push(`The folder of your skills could not be read: ${String(error).slice(0, 200)}`)
        return []
      })
    }
    const ofServers = this.#ofServers
      .offering()
      .filter((id) => !wanted || wanted.has(id))
      .map((id) =>
        this.#ofServers.list(id, signal).catch((error: unknown) => {
          if (signal.aborted) throw error
          const name = servers.configured.find(id)?.record.name ?? id
          problems.push(`The skills of “${name.slice(0, 80)}” could not be listed: ${String(error).slice(0, 200)}`)
          return []
        }),
      )
    const skills = await Promise.all([own(), ...ofServers])
    return { skills: skills.flat(), problems }
  }

  /** Tells windows of changes in the folder. Lists are read afresh at each use, so a missed change costs nothing but its display. */
  #watch(): void {
    const { state, clock, settings } = this.#parts
    const { skillFolder } = settings.current
    if (skillFolder === this.#watched) return
    this.#watched = skillFolder
    this.#watcher?.close()
    this.#watcher = undefined
    const tell = () => state.emit({ type: 'skills.changed' })
    tell()
    if (skillFolder === '') return
    try {
      this.#watcher = watch(skillFolder, { persistent: false, recursive: true }, () => {
        this.#cancel()
        this.#cancel = clock.after(QUIET, tell)
      })
      this.#watcher.on('error', () => this.#watcher?.close())
    } catch {
      // The folder is missing; the list says so.
    }
  }
}

function problemOf(error: unknown): unknown {
  if (error instanceof SkillError) return new HostError('refused', error.message)
  const known = asHostError(error)
  if (known || !(error instanceof Error && 'code' in error)) return known ?? error
  return new HostError('unavailable', `The skill could not be read: ${error.message.slice(0, 200)}`)
}
