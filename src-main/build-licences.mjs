// The licences of what a build carries, as `licences.txt` beside its code and its fonts.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const INSIDE = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/

/** Folders of packages that workers hold; a worker is built before the page or frame that starts it is. */
const inWorkers = new Set()

/** A Vite plugin for workers, which are builds of their own. */
export function workerLicences() {
  return {
    name: 'parley-worker-licences',
    apply: 'build',
    generateBundle(_options, bundle) {
      for (const folder of foldersIn(bundle, '')) inWorkers.add(folder)
    },
  }
}

/** A Vite plugin. What is bundled from node_modules counts: modules, and files that a stylesheet names. */
export function licences(root) {
  return {
    name: 'parley-licences',
    apply: 'build',
    generateBundle(_options, bundle) {
      const folders = foldersIn(bundle, root)
      if (folders.size === 0) return
      if (this.environment.config.consumer === 'client') for (const folder of inWorkers) folders.add(folder)
      const texts = [...folders].sort().map(licenceOf)
      this.emitFile({ type: 'asset', fileName: 'licences.txt', source: `${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n` })
    },
  }
}

function foldersIn(bundle, root) {
  const files = Object.values(bundle).flatMap((output) =>
    output.type === 'chunk' ? output.moduleIds : output.originalFileNames.map((file) => resolve(root, file)),
  )
  return new Set(files.flatMap((file) => INSIDE.exec(file.replace(/^\0/, ''))?.[1] ?? []))
}

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return [`${name} ${version}, ${license ?? 'licence below'}`, ...texts].join('\n\n')
}
