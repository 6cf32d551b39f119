// Records the sources of a build, so that `npm start` builds only when something has changed. Plain JavaScript for Node 20.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const STAMP = join('out', 'built-from')
/** The parts of a complete build, below out/. */
export const MADE = [
  'main/web.js',
  'main/electron.js',
  'main/bundle-worker.js',
  'main/configuration-worker.js',
  'main/database-worker.js',
  'main/image-worker.js',
  'main/document-worker.js',
  'main/schema-worker.js',
  'main/libpg-query.wasm',
  'main/photon.wasm',
  'preload/preload.cjs',
  'renderer/index.html',
  'renderer/pdf/index.html',
  'renderer/diagram/index.html',
  'renderer/preview/index.html',
  'THIRD-PARTY-NOTICES.txt',
  'sbom.cdx.json',
]

/** By content, since a checkout or a copy changes times and not text. */
export function hashSources(root) {
  const hash = createHash('sha256')
  const add = (path) =>
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(root, path)))
      .update('\0')
  for (const folder of ['src-main', 'src-renderer', 'src-shared']) {
    const files = readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
    const paths = files.map((file) => relative(root, join(file.parentPath, file.name)))
    for (const path of paths.sort()) if (!/\.test\.tsx?$/.test(path)) add(path)
  }
  for (const path of ['vite.config.ts', 'package.json', 'package-lock.json']) add(path)
  return hash.digest('hex')
}

/** True when `out` holds a whole build of exactly these sources. */
export function isBuilt(root) {
  const stamp = join(root, STAMP)
  const whole = MADE.every((file) => existsSync(join(root, 'out', file)))
  return whole && existsSync(stamp) && readFileSync(stamp, 'utf8') === hashSources(root)
}

export function stampBuild(root, sources) {
  mkdirSync(join(root, 'out'), { recursive: true })
  writeFileSync(join(root, STAMP), sources)
}

/**
 * A plugin of Vite that notes what the whole build was made from; what changed meanwhile makes it stale. The note of the build before
 * goes first, so that one that ends half-way has none.
 */
export function stamp(root) {
  let sources = ''
  return {
    name: 'parley-stamp',
    apply: 'build',
    configResolved() {
      rmSync(join(root, STAMP), { force: true })
      sources = hashSources(root)
    },
    buildApp: { order: 'post', handler: async () => stampBuild(root, sources) },
  }
}
