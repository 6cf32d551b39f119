import { createHash } from 'node:crypto'

/** The limit of the strictest provider, which takes letters, digits, underscores and hyphens. */
const MAX_LENGTH = 64
const DIGEST = 8
/** Names that are remembered; past that, names of tools that are gone are forgotten. */
const REMEMBERED = 10_000

interface ServerTool {
  readonly serverId: string
  readonly name: string
}

/**
 * Gives tools their wire names. A name means one tool for as long as the host runs: a name that a model called before never becomes
 * another tool. A provider's prompt cache stays valid.
 */
export class WireNames {
  readonly #reserved: ReadonlySet<string>
  readonly #given = new Map<string, string>()

  /** `reserved` names are given to no tool. */
  constructor(reserved: ReadonlySet<string>) {
    this.#reserved = reserved
  }

  of(tools: readonly ServerTool[]): readonly string[] {
    if (this.#given.size > REMEMBERED) this.#forgetAllBut(tools)
    const newcomers = tools.filter((tool) => !this.#given.has(keyOf(tool)))
    const names = wireNames(newcomers, new Set([...this.#reserved, ...this.#given.values()]))
    for (const [at, tool] of newcomers.entries()) this.#given.set(keyOf(tool), names[at] ?? '')
    return tools.map((tool) => this.#given.get(keyOf(tool)) ?? '')
  }

  #forgetAllBut(tools: readonly ServerTool[]): void {
    const here = new Set(tools.map(keyOf))
    for (const key of this.#given.keys()) if (!here.has(key)) this.#given.delete(key)
  }
}

/**
 * Names that every provider accepts and that are unique across servers (ARCH-08): the tool's own name if that is safe and unique, else
 * `server__tool`, else the same with a digest. The same set of tools always gets the same names.
 */
export function wireNames(tools: readonly ServerTool[], reserved: ReadonlySet<string> = new Set()): readonly string[] {
  const owners = new Map([...reserved].map((name): [string, number] => [name, 1]))
  for (const { name } of tools) owners.set(plain(name), (owners.get(plain(name)) ?? 0) + 1)
  const qualified = new Map<string, number>()
  for (const { serverId, name } of tools) {
    const full = plain(`${serverId}__${name}`)
    qualified.set(full, (qualified.get(full) ?? 0) + 1)
  }
  const own = new Set(tools.map(({ name }) => name).filter((name) => safe(name) && owners.get(name) === 1))
  const taken = new Set([...own, ...reserved])
  return tools.map((tool) => {
    if (own.has(tool.name)) return tool.name
    const full = plain(`${tool.serverId}__${tool.name}`)
    const name = safe(full) && qualified.get(full) === 1 && !taken.has(full) ? full : withDigest(tool, full, taken)
    taken.add(name)
    return name
  })
}

/** Digests are short enough for a server to construct a collision, so each candidate is checked. */
function withDigest({ serverId, name }: ServerTool, full: string, taken: ReadonlySet<string>): string {
  for (let attempt = 0; ; attempt++) {
    const digest = createHash('sha256')
      .update(JSON.stringify(attempt === 0 ? [serverId, name] : [serverId, name, attempt]))
      .digest('hex')
      .slice(0, DIGEST)
    const candidate = `${full.slice(0, MAX_LENGTH - DIGEST - 1)}_${digest}`
    if (!taken.has(candidate)) return candidate
  }
}

const keyOf = ({ serverId, name }: ServerTool) => JSON.stringify([serverId, name])

function safe(name: string): boolean {
  return /^[a-zA-Z0-9_-]{1,64}$/.test(name)
}

function plain(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]+/g, '_')
}
