import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Every built script that these load before they run, themselves included, with its text; what is imported later is not. */
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

/** The same for the page. */
export function firstScripts(renderer: string): ReadonlyMap<string, string> {
  const html = readFileSync(join(renderer, 'index.html'), 'utf8')
  const entries = [...html.matchAll(/(?:src|href)="\.\/([^"]+\.js)"/g)].map(([, path]) => join(renderer, path ?? ''))
  return loadedAtOnce(entries)
}
