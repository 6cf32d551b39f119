import { lstat } from 'node:fs/promises'
import { posix as path } from 'node:path'
import { hostPattern, patternText } from '../../../src-shared/base/host-pattern.ts'
import type { PathUse } from '../../../src-shared/contract/servers.ts'
import { FENCED_FOLDERS, type FencePolicy, type WatchedReach, type WatchReport } from '../../../src-shared/contract/servers.ts'
import { isWithin } from '../../consent/read-path.ts'
import type { Watched } from '../../storage/base/storage.ts'
import { PROGRAMS } from './fence.ts'
import { type Places, refusal } from './fence-reach.ts'
import type { Seen } from './watch-log.ts'

/** The facts of a start by which its paths are judged. All paths are real. */
export interface Around extends Pick<Places, 'home' | 'dataFolder'> {
  /** The person's home folder as it is named, where a link leads to the real one. */
  readonly homeLink: string
  /** Its program, its code, and what its package runner keeps. */
  readonly own: readonly string[]
  /** Folders that the person named: its arguments, its roots, its fence. The real path of each leads to it as well. */
  readonly named: ReadonlyMap<string, string>
  readonly isFenced: boolean
  /** The port on its loopback that leads to the hosts of its fence. */
  readonly gatePort?: (() => number | undefined) | undefined
}

export const NOTHING_WATCHED: Watched = { places: [], hosts: [], sockets: [], programs: [], missed: 0 }

/** Most of each that is kept, and characters of one. */
const KEPT = 128
const LONGEST = 1_024
/** Lines of this computer that a person is shown, those of folders among them, and lines of hosts. */
const LINES = 12
const FOLDER_LINES = 6
const HOST_LINES = 12

/** Folders of the system that no fence hides, or that hold nothing of the person. */
const SYSTEM = [...PROGRAMS, '/etc', '/proc', '/sys', '/dev', '/run', '/tmp', '/var', '/selinux']
/** Folders in which each program has one of its own. */
const SHARED = ['.config', '.cache', '.local/share', '.local/state', '.local', '.var/app', 'snap']
/** Sockets by which every program asks for names and users. */
const NAME_SOCKETS = ['/run/nscd', '/var/run/nscd', '/run/systemd']

/** The path by which a use is kept; undefined where nobody needs to know of it. */
export function placeOf(named: string, use: PathUse, around: Around): string | undefined {
  const { home, homeLink, dataFolder, own, isFenced } = around
  if (named.length > LONGEST) return undefined
  const place = isWithin(named, homeLink) ? path.join(home, path.relative(homeLink, named)) : named
  const [nearest] = [...around.named].filter(([folder]) => isWithin(place, folder)).toSorted(([a], [b]) => b.length - a.length)
  // A file that is missing in such a folder is no reach.
  if (nearest !== undefined) return use === 'looked' ? undefined : nearest[1]
  if (own.some((folder) => isWithin(place, folder))) return undefined
  if (isWithin(place, dataFolder)) return dataFolder
  if (isWithin(place, home)) {
    // Inside a fence the home folder is the server's own.
    if (isFenced && (use === 'read' || use === 'changed')) return undefined
    const hidden = hiddenOf(place, home)
    if (hidden !== undefined) return hidden
  } else if (SYSTEM.some((folder) => isWithin(place, folder)) || isWithin(home, place)) return undefined
  return use === 'looked' && !isFenced ? undefined : place
}

/** The folder of one program, where programs keep theirs in the home folder. */
function hiddenOf(place: string, home: string): string | undefined {
  const parts = path.relative(home, place).split('/')
  if (!parts[0]?.startsWith('.') && parts[0] !== 'snap') return undefined
  const shared = SHARED.find((one) => parts.slice(0, one.split('/').length).join('/') === one)
  return path.join(home, ...parts.slice(0, (shared?.split('/').length ?? 0) + 1))
}

/** Turns files into their folders, and leaves out what was looked for and exists nowhere. */
export async function settled(seen: Seen, { home, named, own, gatePort }: Around): Promise<Watched> {
  const places = new Map<string, PathUse>()
  for (const [place, use] of seen.paths) {
    if (named.has(place)) {
      add(places, place, use)
      continue
    }
    const there = await lstat(place).catch(() => undefined) // Also one that was deleted again.
    if (use === 'looked' && !there) continue
    const folder = path.dirname(place)
    // A file that lies in the home folder itself, or in no folder, stands for itself.
    add(places, there?.isDirectory() || folder === home || folder === '/' ? place : folder, use)
  }
  const folders = nested(places)
  const gate = `127.0.0.1:${gatePort?.()}`
  const hosts = [...seen.hosts].filter(([host]) => host.length <= LONGEST && host !== gate)
  const sockets = [...seen.sockets].filter((one) => one.length <= LONGEST && !NAME_SOCKETS.some((name) => isWithin(one, name)))
  const programs = [...seen.programs].filter((one) => one.length <= LONGEST && !own.some((folder) => isWithin(one, folder)))
  return bounded({ places: [...folders], hosts, sockets, programs, missed: seen.missed })
}

/** The reaches of two starts. */
export function together(one: Watched, other: Watched): Watched {
  const places = new Map(one.places)
  for (const [place, use] of other.places) add(places, place, use)
  const hosts = new Map(one.hosts)
  for (const [host, reached] of other.hosts) hosts.set(host, reached || hosts.get(host) === true)
  const all = (a: readonly string[], b: readonly string[]) => [...new Set([...a, ...b])]
  return bounded({
    places: [...places],
    hosts: [...hosts],
    sockets: all(one.sockets, other.sockets),
    programs: all(one.programs, other.programs),
    missed: one.missed + other.missed,
  })
}

/** The first of each; those that are left out count as missed. */
function bounded({ missed, ...lists }: Watched): Watched {
  const left = Object.values(lists).reduce((sum, list) => sum + Math.max(0, list.length - KEPT), 0)
  return {
    places: lists.places.slice(0, KEPT),
    hosts: lists.hosts.slice(0, KEPT),
    sockets: lists.sockets.slice(0, KEPT),
    programs: lists.programs.slice(0, KEPT),
    missed: missed + left,
  }
}

const RANK: Readonly<Record<PathUse, number>> = { looked: 0, read: 1, refused: 2, changed: 3 }

function add(places: Map<string, PathUse>, place: string, use: PathUse): void {
  const before = places.get(place)
  if (before === undefined || RANK[use] > RANK[before]) places.set(place, use)
}

/** A folder within another is not named again. */
function nested(places: ReadonlyMap<string, PathUse>): Map<string, PathUse> {
  const kept = new Map<string, PathUse>()
  for (const [place, use] of [...places].toSorted(([a], [b]) => a.length - b.length)) {
    add(kept, [...kept.keys()].find((one) => one !== '/' && isWithin(place, one)) ?? place, use)
  }
  return kept
}

/**
 * Few lines, each with what is proposed. A folder is proposed only where the person has named it; one that holds keys,
 * Parley's data or the whole home can never be chosen.
 */
export function watchedLines(
  { places, hosts, sockets, programs }: Watched,
  named: FencePolicy['folders'],
  around: Pick<Places, 'home' | 'dataFolder'>,
): Pick<WatchReport, 'reaches' | 'more' | 'moreHosts'> {
  const uses = new Map(places)
  const chosen = named.slice(0, FENCED_FOLDERS).map(({ path: folder, write }): WatchedReach => {
    return { kind: 'folder', path: folder, use: uses.get(folder) ?? 'none', proposal: write ? 'change' : 'read' }
  })
  const others = [...merged(new Map(places.filter(([place]) => !named.some((one) => isWithin(place, one.path)))), around)]
    .map(([place, use]): WatchedReach => {
      const why = refusal(place, around)
      return { kind: 'folder', path: place, use, proposal: 'out', ...(why && { why }) }
    })
    .toSorted((a, b) => Number('why' in b) - Number('why' in a))
  const wanted: readonly (readonly [readonly WatchedReach[], number])[] = [
    [chosen, FENCED_FOLDERS],
    [others, FOLDER_LINES],
    [sockets.map((socket) => ({ kind: 'socket', path: socket })), LINES],
    [programs.map((program) => ({ kind: 'program', path: program })), LINES],
  ]
  const reaches: WatchedReach[] = []
  let more = 0
  for (const [lines, most] of wanted) {
    // A folder that the person named is a line in any case: without it the server would lose it.
    const room = lines === chosen ? lines.length : Math.max(0, Math.min(most, LINES - reaches.length))
    reaches.push(...lines.slice(0, room))
    more += lines.length - Math.min(room, lines.length)
  }
  const hostReaches = hostLines(hosts)
  reaches.push(...hostReaches.slice(0, HOST_LINES))
  return { reaches, more, moreHosts: Math.max(0, hostReaches.length - HOST_LINES) }
}

/** Those that are proposed come first. A fence names the usual ports of the web by no port. */
function hostLines(hosts: Watched['hosts']): readonly WatchedReach[] {
  const lines = new Map<string, Extract<WatchedReach, { kind: 'host' }>>()
  for (const [written, reached] of hosts) {
    const pattern = hostPattern(written.replace(/:(?:80|443)$/, ''))
    if ('problem' in pattern) continue
    const host = patternText(pattern)
    const before = lines.get(host)
    // Addresses and services of this computer are proposed to nobody: a person knows a name.
    const proposal = pattern.port === undefined && /^(?:[a-z0-9_-]+\.)+[a-z][a-z0-9-]+$/.test(pattern.name)
    lines.set(host, { kind: 'host', host, reached: reached || before?.reached === true, proposal })
  }
  return [...lines.values()].toSorted((a, b) => Number(b.proposal) - Number(a.proposal))
}

/** Joins folders to the one above them until there are few, but never to one that could not be chosen. */
function merged(places: ReadonlyMap<string, PathUse>, around: Pick<Places, 'home' | 'dataFolder'>): Map<string, PathUse> {
  let now = new Map(places)
  const canBeJoined = (place: string) => {
    const above = path.dirname(place)
    return refusal(place, around) === undefined && above.split('/').length > 2 && refusal(above, around) === undefined
  }
  while (now.size > FOLDER_LINES) {
    const deepest = [...now.keys()].filter(canBeJoined).toSorted((a, b) => b.split('/').length - a.split('/').length)[0]
    if (deepest === undefined) break
    add(now, path.dirname(deepest), now.get(deepest) ?? 'looked')
    now.delete(deepest)
    now = nested(now)
  }
  return now
}
