import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { extractFile, listPackage } from '@electron/asar'
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { Arch, build, type Configuration, Platform } from 'electron-builder'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { problemsOf, smokeHost } from '../shells/host-smoke.ts'
import { root } from '../shells/shell-process.ts'
import { type StubSystem, stubElectron } from '../shells/stub-electron.ts'

const OFF = '0'.charCodeAt(0)
const ON = '1'.charCodeAt(0)

let folder: string
/** The files that electron-builder would have handed to the tools that make packages. */
const handedOver: (Deb | AppImage)[] = []
const config = parse(readFileSync(join(root, 'electron-builder.yml'), 'utf8'))

interface Deb {
  readonly args: readonly string[]
  readonly desktop: string
  /** The types of files. */
  readonly mime: string
}

interface AppImage {
  readonly desktop: string
}

/** Its files are gone when electron-builder has ended. */
function read(options: [args: string[], desktop: string] | AppImage): Deb | AppImage {
  if (!Array.isArray(options)) return options
  const [args, desktop] = options
  const mime = args.find((arg) => arg.endsWith('=/usr/share/mime/packages/parley.xml'))?.split('=')[0] ?? ''
  return { args, desktop: readFileSync(desktop, 'utf8'), mime: readFileSync(mime, 'utf8') }
}

function deb(): Deb {
  const found = handedOver.find((one) => 'args' in one)
  if (!found) throw new Error('No package for Debian was made')
  return found
}

function appImage(): AppImage {
  const found = handedOver.find((one) => !('args' in one))
  if (!found) throw new Error('No AppImage was made')
  return found
}

/** Runs electron-builder on a stub, for one processor, up to where it would call tools that it downloads. */
async function pack(system: StubSystem, platform: Platform, targets: string[], more: Configuration = {}): Promise<void> {
  await build({
    projectDir: root,
    publish: 'never',
    targets: platform.createTarget(targets, Arch.x64),
    config: {
      extends: join(root, 'electron-builder.yml'),
      electronDist: await stubElectron(system, folder),
      directories: { output: join(folder, system) },
      // The release says where it comes from; packages of Debian name it.
      extraMetadata: { homepage: 'https://parley.example' },
      ...more,
    },
    effectiveOptionComputed: async (options) => handedOver.push(read(options)) > 0,
  })
}

/** The packed apps, by system: what lies beside the archive, and the program with its fuses. */
const APPS = {
  linux: { resources: 'linux/linux-unpacked/resources', program: 'linux/linux-unpacked/parley' },
  windows: { resources: 'windows/win-unpacked/resources', program: 'windows/win-unpacked/Parley.exe' },
  mac: { resources: 'mac/mac/Parley.app/Contents/Resources', program: 'mac/mac/Parley.app' },
}
/** Packing for the others takes as long again each, and shows what depends on electron-builder.yml alone: long runs do it. */
const LONG = process.env.PARLEY_LONG === '1'
const SYSTEMS: readonly StubSystem[] = LONG ? ['linux', 'windows', 'mac'] : ['linux']
const inApp = (system: StubSystem, name: string) => join(folder, APPS[system].resources, name)
const archive = (system: StubSystem) => inApp(system, 'app.asar')
const listed = (system: StubSystem) => listPackage(archive(system), { isPack: false }).map((file) => file.replaceAll('\\', '/'))

/** On Windows electron-builder makes nothing for macOS. */
const HERE = process.platform !== 'win32'

beforeAll(async () => {
  if (!HERE) return
  folder = await mkdtemp(join(tmpdir(), 'parley-package-'))
  await pack('linux', Platform.LINUX, ['deb', 'AppImage'])
  if (!LONG) return
  // Their installers want tools that are downloaded, or a Mac.
  await pack('windows', Platform.WINDOWS, ['dir'], { win: { signAndEditExecutable: false } })
  await pack('mac', Platform.MAC, ['dir'], { mac: { identity: null }, electronFuses: { resetAdHocDarwinSignature: false } })
}, 180_000)

afterAll(async () => {
  if (HERE) await rm(folder, { recursive: true, force: true })
})

describe.skipIf(!HERE)('the package', () => {
  it('contains main, preload, page, the threads, WebAssembly and the pictures of the tray', () => {
    const files = listed('linux')
    for (const file of [
      'main/electron.js',
      'main/web.js',
      'main/bundle-worker.js',
      'main/configuration-worker.js',
      'main/database-worker.js',
      'main/image-worker.js',
      'main/libpg-query.wasm',
      'main/photon.wasm',
      'main/schema-worker.js',
      'main/trayTemplate.png',
      'preload/preload.cjs',
      'renderer/index.html',
    ]) {
      expect(files).toContain(`/out/${file}`)
    }
    const manifest = JSON.parse(extractFile(archive('linux'), 'package.json').toString()) as { main: string }
    expect(files).toContain(`/${manifest.main}`)
  })

  it.each(SYSTEMS)('for %s has its licence, those of its contents and their list, where a person finds them', async (system) => {
    for (const file of ['LICENSE', 'THIRD-PARTY-NOTICES.txt', 'sbom.cdx.json']) {
      const source = file === 'LICENSE' ? file : join('out', file)
      expect(await readFile(inApp(system, file), 'utf8')).toBe(await readFile(join(root, source), 'utf8'))
    }
  })

  it.each(SYSTEMS)('for %s has nothing else: no sources, no tests, no reports, no node_modules, no Node', (system) => {
    const known = /^\/(package\.json|LICENSE|out(\/(main|preload|renderer)(\/.*)?)?)$/
    const files = listed(system)
    expect(files.length).toBeGreaterThan(100)
    expect(files.filter((file) => !known.test(file))).toEqual([])
    expect(files.filter((file) => /\.(tsx?|map|test\.\w+)$/.test(file))).toEqual([])
  })

  it.each(SYSTEMS)('for %s has exactly the files of the build, byte for byte, all in the archive', (system) => {
    const files = listed(system).filter((file) => /^\/out\/\w+\/.*\.\w+$/.test(file))
    const parts = ['main', 'preload', 'renderer'].flatMap((part) =>
      readdirSync(join(root, 'out', part), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => `/${relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/')}`),
    )
    expect(files.sort()).toEqual(parts.sort())
    const other = files.filter((file) => !extractFile(archive(system), file.slice(1)).equals(readFileSync(join(root, file))))
    expect(other).toEqual([])
    // A file outside would be read by Electron from there, whatever the archive's checksum says.
    expect(existsSync(`${archive(system)}.unpacked`)).toBe(false)
  })

  it('does one real thing with every worker, WebAssembly module and late chunk from inside its archive', async () => {
    const inside = join(archive('linux'), 'out')
    const smoke = await smokeHost(inside, new URL('../electron/asar.mjs', import.meta.url))
    const loaded = new Set([...smoke.loaded].map((file) => file.replace(inside, join(root, 'out'))))
    expect(problemsOf(join(root, 'out'), { ...smoke, loaded })).toEqual([])
    // None of it came from the build that lies beside.
    expect([...smoke.loaded].filter((file) => file.startsWith(join(root, 'out')))).toEqual([])
  })

  it('needs no package that it does not include', () => {
    const main = listed('linux').filter((file) => /^\/out\/main\/.*\.js$/.test(file))
    const optional = ['electron', 'vite', 'bufferutil', 'utf-8-validate']
    for (const file of main) {
      const text = extractFile(archive('linux'), file.slice(1)).toString()
      const imports = [...text.matchAll(/^(?:import|export)\s(?:[^'"\n]*?\sfrom\s)?["']([^"'\n]+)["'];?$/gm)].map(
        (match) => match[1] as string,
      )
      const foreign = imports.filter((name) => !/^(\.|node:)/.test(name) && !optional.includes(name))
      expect([file, foreign]).toEqual([file, []])
    }
  })

  it.each(SYSTEMS)(
    'for %s cannot run other code: not as Node, not by options, not from an app next to it (SEC-19)',
    async (system) => {
      const wire = await getCurrentFuseWire(join(folder, APPS[system].program))
      expect(wire).toMatchObject({
        [FuseV1Options.RunAsNode]: OFF,
        [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: OFF,
        [FuseV1Options.EnableNodeCliInspectArguments]: OFF,
        [FuseV1Options.GrantFileProtocolExtraPrivileges]: OFF,
        // The page has no cookies, and a Mac would ask for its keychain to encrypt none.
        [FuseV1Options.EnableCookieEncryption]: OFF,
        [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: ON,
        [FuseV1Options.OnlyLoadAppFromAsar]: ON,
      })
    },
  )
})

describe.skipIf(!HERE)('the packages of each system', () => {
  it('are built for both processors, and can be updated', () => {
    const targets = Object.fromEntries(['linux', 'mac', 'win'].map((system) => [system, config[system].target]))
    const both = (target: string) => ({ target, arch: ['x64', 'arm64'] })
    expect(targets).toEqual({
      linux: [both('AppImage'), both('deb')],
      mac: [both('dmg'), both('zip')],
      win: [both('nsis')],
    })
    for (const name of [config.artifactName, config.nsis.artifactName]) {
      for (const part of ['version', 'os', 'arch', 'ext']) expect(name).toContain(`\${${part}}`)
    }
    // One for both would bear the name of neither.
    expect(config.nsis.buildUniversalInstaller).toBe(false)
    expect(config.publish).toBeNull()
  })

  it('for Linux know links, the types of exported conversations and bundles, and every size of the icon', () => {
    const { args, desktop, mime } = deb()
    expect(args).toEqual(
      expect.arrayContaining(['--architecture', 'amd64', '--name', 'parley', '--url', 'https://parley.example']),
    )
    for (const size of [16, 24, 32, 48, 64, 128, 256, 512]) {
      expect(args.some((arg) => arg.endsWith(`${size}.png=/usr/share/icons/hicolor/${size}x${size}/apps/parley.png`))).toBe(true)
    }
    for (const entry of [desktop, appImage().desktop]) {
      expect(entry).toMatch(/^Name=Parley$/m)
      expect(entry).toMatch(
        /^MimeType=application\/vnd\.parley\.conversation\+json;application\/x-mcpb;x-scheme-handler\/parley;$/m,
      )
      expect(entry).toMatch(/^StartupWMClass=parley$/m)
    }
    expect(mime).toContain('<mime-type type="application/vnd.parley.conversation+json">')
    expect(mime).toContain('<glob pattern="*.parley"/>')
    expect(mime).toContain('<glob pattern="*.mcpb"/>')
  })

  it('for Linux never start without the sandbox (SEC-19)', () => {
    expect(deb().desktop).toMatch(/^Exec=\/opt\/Parley\/parley %U$/m)
    expect(appImage().desktop).toMatch(/^Exec=AppRun %U$/m)
  })

  it.runIf(LONG)('for macOS know the same, and use only their archive', async () => {
    const contents = join(folder, APPS.mac.program, 'Contents')
    const info = (await readFile(join(contents, 'Info.plist'), 'utf8')).replaceAll(/>\s+</g, '><')
    expect(info).toContain('<key>CFBundleIdentifier</key><string>org.parley.app</string>')
    expect(info).toContain('<key>CFBundleURLSchemes</key><array><string>parley</string></array>')
    expect(info).toContain('<key>CFBundleTypeExtensions</key><array><string>parley</string></array>')
    expect(info).toContain(
      '<key>LSHandlerRank</key><string>Alternate</string><key>LSItemContentTypes</key><array><string>public.json',
    )
    expect(info).toMatch(
      /<key>ElectronAsarIntegrity<\/key><dict><key>Resources\/app\.asar<\/key>.*<string>[0-9a-f]{64}<\/string>/,
    )
    const icon = /<key>CFBundleIconFile<\/key><string>([^<]+)/.exec(info)?.[1] ?? ''
    expect(await readFile(join(contents, 'Resources', icon))).toEqual(await readFile(join(root, 'assets', 'icons', 'icon.icns')))
  })

  it('for macOS may make code at run time, as V8 does, and let servers ask for other apps, and nothing else', async () => {
    expect(config.mac).toMatchObject({ hardenedRuntime: true })
    expect(config.mac.entitlementsInherit).toBe(config.mac.entitlements)
    const entitlements = await readFile(join(root, config.mac.entitlements), 'utf8')
    const allowed = [...entitlements.matchAll(/<key>([^<]+)<\/key>\s*<(\w+)\/>/g)].map(([, key, value]) => `${key} ${value}`)
    expect(allowed).toEqual(['com.apple.security.cs.allow-jit true', 'com.apple.security.automation.apple-events true'])
    expect(entitlements.match(/<key>/g)).toHaveLength(2)
    // macOS shows these texts in its questions; without them it refuses unasked.
    expect(config.mac.extendInfo.NSAppleEventsUsageDescription).toBe('A server that you started asks for this.')
    // The environment of a release names the identity that signs and notarizes.
    for (const name of ['identity', 'notarize', 'provisioningProfile']) expect(config.mac).not.toHaveProperty(name)
  })

  it('for Windows remove their links when uninstalled, and only then', async () => {
    const script = await readFile(join(root, config.nsis.include), 'utf8')
    expect(script).toMatch(
      /!macro customUnInstall\s+\$\{ifNot\} \$\{isUpdated\}\s+DeleteRegKey HKCU "Software\\Classes\\parley"\s+\$\{endif\}\s+!macroend/,
    )
  })

  it.runIf(LONG)('for Windows use only their archive', async () => {
    const program = await readFile(join(folder, APPS.windows.program), 'latin1')
    expect(program).toMatch(/\[\{"file":"resources\\\\app\.asar","alg":"SHA256","value":"[0-9a-f]{64}"\}\]/)
  })
})
