import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { root } from './shell-process.ts'

export type StubSystem = 'linux' | 'mac' | 'windows'

/** The mark by which the fuse tool finds its place in Electron's program. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
/** Nine fuses, all set to "off". */
const WIRE = Buffer.concat([Buffer.from(SENTINEL), Buffer.from([1, 9]), Buffer.from('0'.repeat(9))])
const PROGRAM = Buffer.concat([Buffer.alloc(64), WIRE, Buffer.alloc(64)])
const HELPERS = ['', ' (GPU)', ' (Plugin)', ' (Renderer)'].map((kind) => `Electron Helper${kind}`)

/** The parts of an unpacked Electron that electron-builder expects: names, a version, and a program with fuses. */
export async function stubElectron(system: StubSystem, folder: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(root, 'node_modules', 'electron', 'package.json'), 'utf8')) as {
    version: string
  }
  const dist = join(folder, `electron-${system}`)
  const files = { ...(await OF[system]()), LICENSE: '', 'LICENSES.chromium.html': '', version }
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(dist, name)), { recursive: true })
    await writeFile(join(dist, name), content)
    await chmod(join(dist, name), 0o755)
  }
  return dist
}

const OF: Readonly<Record<StubSystem, () => Promise<Record<string, string | Uint8Array>>>> = {
  linux: async () => ({
    electron: PROGRAM,
    'chrome-sandbox': '',
    chrome_crashpad_handler: '',
    'locales/en-US.pak': '',
    'resources/about': '',
  }),
  windows: async () => ({
    'electron.exe': Buffer.concat([await emptyProgram(), WIRE]),
    'locales/en-US.pak': '',
    'resources/about': '',
  }),
  mac: async () => ({
    'Electron.app/Contents/Info.plist': plist('Electron'),
    'Electron.app/Contents/MacOS/Electron': '',
    'Electron.app/Contents/Resources/electron.icns': '',
    'Electron.app/Contents/Frameworks/Electron Framework.framework/Electron Framework': PROGRAM,
    'Electron.app/Contents/Frameworks/Electron Framework.framework/Versions/A/Resources/en.lproj/locale.pak': '',
    ...Object.fromEntries(
      HELPERS.flatMap((name) => [
        [`Electron.app/Contents/Frameworks/${name}.app/Contents/Info.plist`, plist(name)],
        [`Electron.app/Contents/Frameworks/${name}.app/Contents/MacOS/${name}`, ''],
      ]),
    ),
  }),
}

function plist(name: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0"><dict><key>CFBundleName</key><string>${name}</string></dict></plist>`
}

/** A Windows program with a version resource, made by the tool with which electron-builder changes it. */
async function emptyProgram(): Promise<Uint8Array> {
  const builder = createRequire(createRequire(import.meta.url).resolve('app-builder-lib/package.json'))
  const { NtExecutable, NtExecutableResource, Resource }: Resedit = await import(builder.resolve('resedit'))
  const program = NtExecutable.createEmpty(false, false)
  const resources = NtExecutableResource.from(program)
  const version = Resource.VersionInfo.createEmpty()
  version.setFileVersion(1, 0, 0, 0, 1033)
  version.setStringValues({ lang: 1033, codepage: 1200 }, { ProductName: 'Electron' })
  version.outputToResourceEntries(resources.entries)
  resources.outputResource(program)
  return new Uint8Array(program.generate())
}

interface Resedit {
  NtExecutable: { createEmpty(is32Bit: boolean, isDll: boolean): Program }
  NtExecutableResource: { from(program: Program): { entries: unknown[]; outputResource(program: Program): void } }
  Resource: { VersionInfo: { createEmpty(): VersionInfo } }
}

interface Program {
  generate(): ArrayBuffer
}

interface VersionInfo {
  setFileVersion(major: number, minor: number, micro: number, revision: number, language: number): void
  setStringValues(language: { lang: number; codepage: number }, values: Record<string, string>): void
  outputToResourceEntries(entries: unknown[]): void
}
