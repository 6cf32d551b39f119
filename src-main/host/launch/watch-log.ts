import { posix as path } from 'node:path'
import type { PathUse } from '../../../src-shared/contract/servers.ts'
import { readDnsAnswer } from './dns-answer.ts'

/** Most of each that is kept of one server. */
export const MOST_SEEN = 2_000
/** Characters of a line, and of all lines of a start; later ones are read and not looked at, or the server would stand still. */
const LONGEST_LINE = 64 * 1024
const MOST_TEXT = 64 * 1024 * 1024
/** Calls that wait for their end, and processes with a folder of their own. */
const MOST_OPEN = 4_096
/** Bytes of a text that strace shows; an answer of DNS is rarely longer. Paths are shown whole. */
const SHOWN_BYTES = 1_280

type Did = 'changed' | 'opened' | 'ran' | 'looked' | 'moved'

/** Arguments of a call: `d` an open folder, `p` a path that goes with it, `.` anything else. */
type Calls = Readonly<Record<string, readonly [args: string, did: Did]>>

const PATH_CALLS: Calls = {
  open: ['p', 'opened'],
  openat: ['dp', 'opened'],
  openat2: ['dp', 'opened'],
  creat: ['p', 'changed'],
  mkdir: ['p', 'changed'],
  mkdirat: ['dp', 'changed'],
  rmdir: ['p', 'changed'],
  unlink: ['p', 'changed'],
  unlinkat: ['dp', 'changed'],
  truncate: ['p', 'changed'],
  rename: ['pp', 'changed'],
  renameat: ['dpdp', 'changed'],
  renameat2: ['dpdp', 'changed'],
  link: ['pp', 'changed'],
  linkat: ['dpdp', 'changed'],
  symlink: ['.p', 'changed'],
  symlinkat: ['.dp', 'changed'],
  mknod: ['p', 'changed'],
  mknodat: ['dp', 'changed'],
  chmod: ['p', 'changed'],
  fchmodat: ['dp', 'changed'],
  chown: ['p', 'changed'],
  lchown: ['p', 'changed'],
  fchownat: ['dp', 'changed'],
  utimensat: ['dp', 'changed'],
  execve: ['p', 'ran'],
  execveat: ['dp', 'ran'],
  chdir: ['p', 'moved'],
}

/** Asked of a fenced server alone: it often looks for a file before it opens it. */
const LOOKS: Calls = {
  stat: ['p', 'looked'],
  lstat: ['p', 'looked'],
  newfstatat: ['dp', 'looked'],
  statx: ['dp', 'looked'],
  access: ['p', 'looked'],
  faccessat: ['dp', 'looked'],
  faccessat2: ['dp', 'looked'],
}

const ALL: Calls = { ...PATH_CALLS, ...LOOKS }

/**
 * The options of strace 6 or newer whose output `WatchLog` reads. Every text of the watched program is shown in hexadecimal digits, so
 * that no name can look like a part of a line. With `-D` the program is Parley's own child: its signals and its exit stay as they are.
 */
export function straceOptions(isFenced: boolean): readonly string[] {
  const calls = [...Object.keys(isFenced ? ALL : PATH_CALLS), 'connect', 'recvfrom']
  return [
    ...['-D', '-f', '--seccomp-bpf', '-qqq', '-xx', '-y', '-s', String(SHOWN_BYTES)],
    ...['-e', 'signal=none', '-e', `trace=${calls.map((name) => `?${name}`).join(',')}`],
  ]
}

/** Everything that was seen of a server. What it could not do is `looked`. */
export interface Seen {
  readonly paths: ReadonlyMap<string, PathUse>
  /** Addresses with a port, as in `api.example.com:443`. True where a connection could be made or was begun. */
  readonly hosts: ReadonlyMap<string, boolean>
  readonly sockets: ReadonlySet<string>
  readonly programs: ReadonlySet<string>
  /** Lines that were not understood or came too late, and things above the bounds. */
  readonly missed: number
}

const HEX = String.raw`((?:\\x[0-9a-f]{2})*)`
const LINE = /^(\d{1,10}) +(.*)$/s
const RESUMED = /^<\.\.\. (\w+) resumed>(.*)$/s
const UNFINISHED = ' <unfinished ...>'
const CALL = /^(\w+)\((.*)\) += (-?\d+|\?)(.*)$/s
const TEXT = new RegExp(`^"${HEX}"$`)
const FOLDER = new RegExp(String.raw`^(?:AT_FDCWD|\d+)<${HEX}>(?:\(deleted\))?$`)
const OPENED = new RegExp(`^<${HEX}>`)
const WRITES = /\bO_(?:WRONLY|RDWR|CREAT|TRUNC)\b/
const IPV4 = new RegExp(
  String.raw`^\d+(?:<[^>]*>)?, \{sa_family=AF_INET, sin_port=htons\((\d+)\), sin_addr=inet_addr\("${HEX}"\)\}`,
)
const IPV6 = new RegExp(
  String.raw`^\d+(?:<[^>]*>)?, \{sa_family=AF_INET6, sin6_port=htons\((\d+)\), .*?inet_pton\(AF_INET6, "${HEX}"`,
)
const UNIX = new RegExp(String.raw`^\d+(?:<[^>]*>)?, \{sa_family=AF_UNIX, sun_path=(@?)"${HEX}"\}`)
const OTHER_FAMILY = /^\d+(?:<[^>]*>)?, \{sa_family=AF_\w+/
const RECEIVED = new RegExp(String.raw`^\d+(?:<[^>]*>)?, "${HEX}"`)
const READ_ONLY = /^ (?:EROFS|EACCES|EPERM)\b/
/** A connection that does not wait for its end has begun. */
const BEGUN = /^ EINPROGRESS\b/

/** The path by which a use is kept; undefined where it is left out. */
type PlaceOf = (named: string, use: PathUse) => string | undefined

interface WatchedCommand {
  readonly cwd: string
  /** The program that a fence starts: what is before it is the fence's own. */
  readonly startsWith?: string
  readonly placeOf?: PlaceOf
}

interface End {
  readonly worked: boolean
  readonly writes: boolean
  readonly isRefused: boolean
}

/** Reads what strace writes of one start. Names and addresses are the server's, and a server may make as many as it likes. */
export class WatchLog implements Seen {
  readonly paths = new Map<string, PathUse>()
  readonly hosts = new Map<string, boolean>()
  readonly sockets = new Set<string>()
  readonly programs = new Set<string>()
  missed = 0
  readonly #folder: string
  readonly #placeOf: PlaceOf
  #waitsFor: string | undefined
  readonly #unfinished = new Map<string, string>()
  readonly #folders = new Map<string, string>()
  readonly #names = new Map<string, string>()
  #rest = ''
  #isTooLong = false
  #length = 0

  constructor({ cwd, startsWith, placeOf = (named) => named }: WatchedCommand) {
    this.#folder = cwd
    this.#placeOf = placeOf
    this.#waitsFor = startsWith
  }

  /** True once nothing more is looked at. */
  get isFull(): boolean {
    return this.#length > MOST_TEXT
  }

  push(chunk: Buffer): void {
    if (this.isFull) return
    this.#length += chunk.length
    const lines = (this.#rest + chunk.toString('latin1')).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) {
      if (this.#isTooLong || line.length > LONGEST_LINE || !this.#line(line)) this.missed++
      this.#isTooLong = false
    }
    if (this.#rest.length > LONGEST_LINE) {
      this.#rest = ''
      this.#isTooLong = true
    }
  }

  #line(line: string): boolean {
    const [, pid, said] = LINE.exec(line) ?? []
    if (pid === undefined || said === undefined) return false
    if (said.endsWith(UNFINISHED)) {
      if (this.#unfinished.size >= MOST_OPEN) return false
      this.#unfinished.set(pid, said.slice(0, -UNFINISHED.length))
      return true
    }
    const [, resumed, after] = RESUMED.exec(said) ?? []
    if (resumed === undefined) return this.#call(pid, said)
    const before = this.#unfinished.get(pid)
    this.#unfinished.delete(pid)
    return before?.startsWith(`${resumed}(`) === true && this.#call(pid, before + after)
  }

  #call(pid: string, said: string): boolean {
    const [, name = '', args = '', result = '', after = ''] = CALL.exec(said) ?? []
    // A process that ends in the middle of a call.
    if (result === '?') return true
    const worked = !result.startsWith('-')
    if (this.#waitsFor !== undefined) {
      if (name === 'execve' && worked && textOf(args.split(', ')[0]) === this.#waitsFor) this.#waitsFor = undefined
      return name !== ''
    }
    if (name === 'connect') return this.#connect(args, worked || BEGUN.test(after))
    if (name === 'recvfrom') return this.#received(args)
    const call = Object.hasOwn(ALL, name) ? ALL[name] : undefined
    return call !== undefined && this.#path(pid, call, args.split(', '), worked, after)
  }

  #path(pid: string, [shape, did]: readonly [string, Did], args: readonly string[], worked: boolean, after: string): boolean {
    const writes = did === 'changed' || (did === 'opened' && WRITES.test(args.join(', ')))
    const end = { worked, writes, isRefused: READ_ONLY.test(after) }
    let base = this.#folders.get(pid) ?? this.#folder
    for (const [at, kind] of [...shape].entries()) {
      if (kind === 'd') {
        const folder = hexText(FOLDER.exec(args[at] ?? '')?.[1])
        // Without a folder the path must be absolute.
        base = folder ?? ''
        if (folder !== undefined && args[at]?.startsWith('AT_FDCWD')) this.#moved(pid, folder)
      } else if (kind === 'p') {
        const named = textOf(args[at])
        // An address that is not readable, which no system call accepts.
        if (named === undefined) return !worked
        const whole = path.isAbsolute(named) ? named : base && path.join(base, named)
        if (!path.isAbsolute(whole)) return false
        if (!this.#note(pid, path.normalize(whole), did, end)) return false
      }
    }
    const opened = did === 'opened' && worked ? hexText(OPENED.exec(after)?.[1]) : undefined
    return opened === undefined || !path.isAbsolute(opened) || this.#note(pid, opened, did, end)
  }

  #note(pid: string, place: string, did: Did, { worked, writes, isRefused }: End): boolean {
    if (did === 'moved') {
      if (worked) this.#moved(pid, place)
      return true
    }
    if (did === 'ran') return !worked || this.#add(this.programs, place)
    if (!worked) return this.#use(place, writes && isRefused ? 'refused' : 'looked')
    return did === 'looked' || this.#use(place, writes ? 'changed' : 'read')
  }

  #moved(pid: string, folder: string): void {
    if (this.#folders.size < MOST_OPEN || this.#folders.has(pid)) this.#folders.set(pid, folder)
  }

  #use(named: string, use: PathUse): boolean {
    const place = this.#placeOf(named, use)
    if (place === undefined) return true
    const before = this.paths.get(place)
    if (before === undefined && this.paths.size >= MOST_SEEN) return false
    if (before === undefined || RANK[use] > RANK[before]) this.paths.set(place, use)
    return true
  }

  #add(list: Set<string>, one: string): boolean {
    if (list.size >= MOST_SEEN && !list.has(one)) return false
    list.add(one)
    return true
  }

  #connect(args: string, worked: boolean): boolean {
    const [, port = '', hex] = IPV4.exec(args) ?? IPV6.exec(args) ?? []
    if (hex !== undefined) {
      const address = (hexText(hex) ?? '').replace(/^::ffff:(?=[\d.]+$)/, '')
      // Port 0 sends nothing: programs ask so which of their addresses they would use. Port 53 is the question for a name.
      if (port === '0' || port === '53') return true
      const name = this.#names.get(address) ?? (address.includes(':') ? `[${address}]` : address)
      const host = `${name}:${port}`
      if (this.hosts.size >= MOST_SEEN && !this.hosts.has(host)) return false
      this.hosts.set(host, worked || this.hosts.get(host) === true)
      return true
    }
    const [, abstract = '', socket] = UNIX.exec(args) ?? []
    const place = hexText(socket)
    if (place !== undefined) return this.#add(this.sockets, abstract + place.replace(/\0+$/, ''))
    return OTHER_FAMILY.test(args)
  }

  /** A server that lies about a name gains nothing: its fence looks the name up on its own. */
  #received(args: string): boolean {
    const hex = RECEIVED.exec(args)?.[1]
    const answer = hex === undefined ? undefined : readDnsAnswer(bytesOf(hex))
    for (const address of answer?.addresses ?? []) {
      if (this.#names.size < MOST_SEEN && answer) this.#names.set(address, answer.name)
    }
    return true
  }
}

const RANK: Readonly<Record<PathUse, number>> = { looked: 0, read: 1, refused: 2, changed: 3 }

const bytesOf = (hex: string) => Buffer.from(hex.replaceAll('\\x', ''), 'hex')

/** Names that are not UTF-8 keep a sign for each byte that cannot be read, and so cannot be named in a fence. */
const hexText = (hex: string | undefined) => (hex === undefined ? undefined : bytesOf(hex).toString('utf8'))

const textOf = (argument: string | undefined) => hexText(TEXT.exec(argument ?? '')?.[1])
