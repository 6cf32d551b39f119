// Third-party parts of a build: their licences, for people, and a bill of materials (CycloneDX), for programs.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

/** Both below out/. */
const NOTICES = 'THIRD-PARTY-NOTICES.txt'
const MATERIALS = 'sbom.cdx.json'

const INSIDE = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/

const CARRIED = Symbol.for('parley.carried')
/** Folders of packages that any part of the build holds. Vite reads its configuration, and this file, again for each part. */
const carried = globalThis[CARRIED] ?? new Set()
globalThis[CARRIED] = carried

/** A Vite plugin for workers, which are builds of their own. */
export function workerMaterials() {
  return { name: 'parley-worker-materials', apply: 'build', generateBundle: (_options, bundle) => note(bundle, '') }
}

/** A Vite plugin. What is bundled from node_modules counts: modules, and files that a stylesheet names. */
export function materials(root, sources) {
  return {
    name: 'parley-materials',
    apply: 'build',
    generateBundle: (_options, bundle) => note(bundle, sources),
    buildApp: {
      order: 'post',
      handler: async () => {
        const packages = [...carried].map((folder) => readPackage(root, folder)).sort((a, b) => (a.purl < b.purl ? -1 : 1))
        writeFileSync(join(root, 'out', NOTICES), `${packages.map(noticeOf).join(`\n\n${'='.repeat(80)}\n\n`)}\n`)
        writeFileSync(join(root, 'out', MATERIALS), `${JSON.stringify(billOf(root, packages), null, 2)}\n`)
      },
    },
  }
}

function note(bundle, root) {
  for (const output of Object.values(bundle)) {
    const files = output.type === 'chunk' ? output.moduleIds : output.originalFileNames.map((file) => resolve(root, file))
    for (const file of files) {
      const folder = INSIDE.exec(file.replace(/^\0/, ''))?.[1]
      if (folder) carried.add(folder)
    }
  }
}

function readPackage(root, folder) {
  const { name, version, license } = readJson(join(folder, 'package.json'))
  // A link to a shared folder is no other place than where the lock says.
  const place = relative(root, folder).replaceAll('\\', '/')
  return { folder, place, name, version, license, purl: purlOf(name, version) }
}

function noticeOf({ folder, name, version, license }) {
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return [`${name} ${version}, ${license ?? 'licence below'}`, ...texts].join('\n\n')
}

/** Says the same for the same build: no time, no number of its own. */
function billOf(root, packages) {
  const { name, version, license } = readJson(join(root, 'package.json'))
  const lock = readJson(join(root, 'package-lock.json')).packages
  const components = packages.map((one) => component(one, lock[one.place], 'required'))
  // Not in the bundle, but shipped with it: Electron in the desktop packages, Node beside the tarball where the system has none.
  const beside = Object.entries(lock).filter(([place]) => /^node_modules\/(electron|node-(linux|win)-\w+)$/.test(place))
  for (const [place, locked] of beside) {
    const its = place.replace('node_modules/', '')
    const { version: number, license: named } = locked
    const scope = its === 'electron' ? 'required' : 'optional'
    components.push(component({ name: its, version: number, license: named, purl: purlOf(its, number) }, locked, scope))
  }
  const own = purlOf(name, version)
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: { type: 'application', 'bom-ref': own, name, version, purl: own, licenses: licensesOf(license) },
    },
    components,
    dependencies: [{ ref: own, dependsOn: components.map((one) => one.purl) }],
  }
}

function component({ name, version, license, purl }, locked, scope) {
  if (!locked?.integrity) throw new Error(`package-lock.json has no checksum of ${name} ${version}, which the build carries`)
  const [algorithm, sum] = locked.integrity.split(' ')[0].split('-')
  return {
    type: name === 'electron' ? 'framework' : 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    scope,
    licenses: licensesOf(license),
    hashes: [{ alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(sum, 'base64').toString('hex') }],
  }
}

function licensesOf(license = `see ${NOTICES}`) {
  if (/ (OR|AND|WITH) /.test(license)) return [{ expression: license }]
  return [{ license: /^[\w.+-]+$/.test(license) ? { id: license } : { name: license } }]
}

function purlOf(name, version) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}
