import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** These built scripts and all that they load before they run, with their texts; without later imports. */
export function loadedAtOnce(entries: readonly string[]): ReadonlyMap<string, string> {
  const loaded = new Map<string, string>()
  const visit = (path: string) => {
    if (loaded.has(path)) return
    const text = readFileSync(path, 'utf8')
    loaded.set(path, text)
    for (const [, from] of text.matchAll(/(?:from|import)\s*["'`](\.\/[\w.-]+\.js)["'`]/g)) visit(join(dirname(path), from ?? ''))
  }
  entries.forEach(visit)
  return loaded
}

export function firstScripts(renderer: string): ReadonlyMap<string, string> {
  const html = readFileSync(join(renderer, 'index.html'), 'utf8')
  const entries = [...html.matchAll(/(?:src|href)="\.\/([^"]+\.js)"/g)].map(([, path]) => join(renderer, path ?? ''))
  return loadedAtOnce(entries)
}
