import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

// Loaded before a replay: the sources that the replay imports are taken from the chunks of the build in their place, so that what is
// shipped is what is measured. The chunks run as they are, with their names exported at their end.
const root = fileURLToPath(new URL('../..', import.meta.url))
const main = join(root, 'out', 'main')
if (!existsSync(main)) throw new Error('There is no build: run `npm run build` first.')

/** A chunk, and the part of its text that a source became. */
interface Place {
  readonly chunk: string
  readonly text: string
}

const MARK = /^\/\/ (src-(?:main|shared)\/\S+\.tsx?)$/m
const chunks: Place[] = readdirSync(main)
  .filter((name) => name.endsWith('.js'))
  .map((name) => ({ chunk: join(main, name), text: readFileSync(join(main, name), 'utf8') }))
const places = new Map<string, Place>()
for (const { chunk, text } of chunks) {
  const [, ...pieces] = text.split(MARK)
  for (let n = 0; n < pieces.length; n += 2) places.set(pieces[n] ?? '', { chunk, text: pieces[n + 1] ?? '' })
}

/** Chunk → the names to export of it, as `local as exported`. */
const wanted = new Map<string, Set<string>>()
const EXPORTED = /^export (?:async )?(?:function\*?|class|const|let) (\w+)/gm

/** The exports of a source by the names that they have in its chunk; the bundler numbers those that were taken. */
function shimOf(source: string): string {
  // The bundler leaves out the mark of some sources: their names are then looked for everywhere.
  const within = places.has(source) ? [places.get(source) as Place] : chunks
  const names = [...readFileSync(join(root, source), 'utf8').matchAll(EXPORTED)].map(([, name]) => name as string)
  const lines = names.flatMap((name) => {
    const declared = new RegExp(`^(?:async )?(?:function\\*?|class|const|let|var) (${name}(?:\\$\\d+)?)\\b`, 'gm')
    const found = within.flatMap(({ chunk, text }) => [...text.matchAll(declared)].map(([, local]) => ({ chunk, local })))
    if (found.length > 1) throw new Error(`${name} of ${source} is in the build more than once`)
    const [one] = found
    if (!one) return [] // Nothing in the app uses it; importing it fails.
    const exported = `built_${source.replace(/\W/g, '_')}_${name}`
    wanted.set(one.chunk, (wanted.get(one.chunk) ?? new Set()).add(`${one.local} as ${exported}`))
    return [`export { ${exported} as ${name} } from ${JSON.stringify(pathToFileURL(one.chunk).href)}`]
  })
  return lines.join('\n')
}

const SOURCES = [...readdirSync(join(root, 'src-main', 'consent')).map((name) => `src-main/consent/${name}`), ...places.keys()]
const shims = new Map(
  [...new Set(SOURCES)]
    .filter((source) => /(?<!\.test)\.ts$/.test(source))
    .map((source) => [pathToFileURL(join(root, source)).href, shimOf(source)]),
)
/** Sources that a replay took from the build. */
export const taken = new Set<string>()

registerHooks({
  load(url, context, next) {
    const shim = shims.get(url)
    if (shim !== undefined) {
      taken.add(relative(root, fileURLToPath(url)))
      return { source: shim, format: 'module', shortCircuit: true }
    }
    const chunk = url.startsWith('file:') ? fileURLToPath(url) : ''
    const names = wanted.get(chunk)
    if (!names) {
      if (/[\\/]src-(main|shared)[\\/]/.test(chunk)) throw new Error(`${relative(root, chunk)} is not in the build`)
      return next(url, context)
    }
    const source = `${readFileSync(chunk, 'utf8')}\nexport { ${[...names].join(', ')} }`
    return { source, format: 'module', shortCircuit: true }
  },
})
