import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../shells/shell-process.ts'

interface Component {
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly scope: string
  readonly licenses: readonly {
    readonly expression?: string
    readonly license?: { readonly id?: string; readonly name?: string }
  }[]
  readonly hashes: readonly { readonly alg: string; readonly content: string }[]
}

interface Bill {
  readonly bomFormat: string
  readonly specVersion: string
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const manifest = JSON.parse(read('package.json')) as { version: string }
const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, { version: string; integrity?: string }> }
const bill = JSON.parse(read('out/sbom.cdx.json')) as Bill
const notices = read('out/THIRD-PARTY-NOTICES.txt').split(`\n\n${'='.repeat(80)}\n\n`)
const bundled = bill.components.filter(({ name }) => !/^(electron|node-(linux|win)-\w+)$/.test(name))

/** The packages that the product's own sources import, types left out. */
function imported(): string[] {
  const files = globSync('src-*/**/*.{ts,tsx,css}', { cwd: root }).filter((file) => !/\.test\.tsx?$|\.d\.ts$/.test(file))
  const names = files.flatMap((file) => {
    const text = read(file).replaceAll(/^import type .*$/gm, '')
    const said = [...text.matchAll(/(?:^import|\bfrom|\bimport\(|@import)\s*["'](@?[a-z][\w./:@-]*)["']/gm)].map(
      (match) => match[1] ?? '',
    )
    return said.filter((name) => !name.startsWith('node:')).map((name) => name.split('/').slice(0, name.startsWith('@') ? 2 : 1))
  })
  return [...new Set(names.map((parts) => parts.join('/')))].filter((name) => name !== 'electron' && name !== 'vite').sort()
}

describe('the bill of materials', () => {
  it('is CycloneDX, of this version', () => {
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' })
    expect(bill.metadata.component).toMatchObject({
      name: 'parley',
      version: manifest.version,
      purl: `pkg:npm/parley@${manifest.version}`,
    })
    const purls = bill.components.map(({ purl }) => purl)
    expect(new Set(purls).size).toBe(purls.length)
    expect(bill.dependencies).toEqual([{ ref: bill.metadata.component.purl, dependsOn: purls }])
  })

  it('names every package that the sources import, and their dependencies', () => {
    const names = new Set(bundled.map(({ name }) => name))
    expect(imported()).toEqual(
      expect.arrayContaining(['react', 'undici', 'zod', '@anthropic-ai/sdk', '@fontsource-variable/inter']),
    )
    expect(imported().filter((name) => !names.has(name))).toEqual([])
    expect([...names]).toEqual(expect.arrayContaining(['scheduler', 'micromark', 'which']))
  })

  it('gives each its version and checksum from the lock file, and a licence', () => {
    const locked = Object.entries(lock.packages).map(([place, { version, integrity }]) => {
      const sum = Buffer.from(integrity?.replace('sha512-', '') ?? '', 'base64').toString('hex')
      return `${place.split('node_modules/').at(-1)} ${version} ${sum}`
    })
    for (const { name, version, licenses, hashes } of bill.components) {
      expect(locked).toContain(`${name} ${version} ${hashes[0]?.content}`)
      const [one] = licenses
      expect(one?.expression ?? one?.license?.id ?? one?.license?.name).toBeTruthy()
    }
  })

  it('names what is shipped with the bundle: Electron, and Node for the tarball', () => {
    const beside = bill.components.filter((one) => !bundled.includes(one)).map(({ name, scope }) => `${name} ${scope}`)
    expect(beside.sort()).toEqual([
      'electron required',
      ...['linux-arm64', 'linux-x64', 'win-x64'].map((name) => `node-${name} optional`),
    ])
  })

  it('has a notice with the text of the licence for each', () => {
    const heads = notices.map((notice) => notice.split(',')[0])
    expect(heads).toEqual(bundled.map(({ name, version }) => `${name} ${version}`))
    // These say MIT in their manifests and ship no text.
    const short = notices.filter((notice) => notice.length < 300).map((notice) => notice.split(' ')[0])
    expect(['lazy-val', 'standardwebhooks']).toEqual(expect.arrayContaining(short))
    expect(notices.filter((notice) => notice.includes('SIL OPEN FONT LICENSE Version 1.1'))).toHaveLength(3)
  })
})
