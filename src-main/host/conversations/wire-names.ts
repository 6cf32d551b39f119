import { createHash } from 'node:crypto'

/** The strictest of the providers: letters, digits, underscore and hyphen, 1 to 64 of them. */
const LONGEST = 64
const DIGEST = 8

/**
 * Names for tools that every provider takes and that are unique across servers (ARCH-08): the tool's own name where that is
 * safe and nobody else has it, else `server__tool`, else with a digest of both. `reserved` names are nobody's. The same set of tools always gives the same names.
 */
export function wireNames(
  tools: readonly { readonly serverId: string; readonly name: string }[],
  reserved: ReadonlySet<string> = new Set(),
): readonly string[] {
  const owners = new Map([...reserved].map((name): [string, number] => [name, 1]))
  for (const { name } of tools) owners.set(plain(name), (owners.get(plain(name)) ?? 0) + 1)
  const qualified = new Map<string, number>()
  for (const { serverId, name } of tools) {
    const full = plain(`${serverId}__${name}`)
    qualified.set(full, (qualified.get(full) ?? 0) + 1)
  }
  const own = new Set(tools.map(({ name }) => name).filter((name) => safe(name) && owners.get(name) === 1))
  const taken = new Set([...own, ...reserved])
  return tools.map(({ serverId, name }) => {
    if (own.has(name)) return name
    const full = plain(`${serverId}__${name}`)
    if (safe(full) && qualified.get(full) === 1 && !taken.has(full)) return full
    const digest = createHash('sha256')
      .update(JSON.stringify([serverId, name]))
      .digest('hex')
      .slice(0, DIGEST)
    return `${full.slice(0, LONGEST - DIGEST - 1)}_${digest}`
  })
}

function safe(name: string): boolean {
  return /^[a-zA-Z0-9_-]{1,64}$/.test(name)
}

function plain(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]+/g, '_')
}
