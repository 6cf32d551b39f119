import { execFileSync } from 'node:child_process'
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AppImageUpdater } from 'electron-updater'
import { ElectronHttpExecutor } from 'electron-updater/out/electronHttpExecutor.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { UpdateState } from '../../../../src-shared/contract/events.ts'
import { AppUpdates } from './app-updates.ts'
import { readFeed } from './update-feed.ts'

const SIGN = fileURLToPath(new URL('../../../../e2e/scripts/sign-feed.mjs', import.meta.url))
const makers = generateKeyPairSync('ed25519')
const others = generateKeyPairSync('ed25519')

/** The updater's own network, over Node's instead of Electron's. */
const overNode = () =>
  Object.assign(new ElectronHttpExecutor(), {
    createRequest: (options: object, answer: (response: unknown) => void) => request(options, answer),
  })

let server: Server
let folder = ''
let files: Record<string, string> = {}
let asked: { readonly path: string; readonly headers: object }[] = []

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-updates-'))
  files = {}
  asked = []
  server = createServer(({ url = '', headers }, response) => {
    const path = url.split('?')[0] ?? ''
    asked.push({ path, headers })
    const body = files[path]
    response.writeHead(body === undefined ? 404 : 200).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve))
  rmSync(folder, { recursive: true })
})

/** As a release does. */
function signedByScript(text: string, key: KeyObject): string {
  const feed = join(folder, 'latest.yml')
  writeFileSync(feed, text)
  const PARLEY_UPDATE_SIGNING_KEY = String(key.export({ format: 'pem', type: 'pkcs8' }))
  const printed = execFileSync(process.execPath, [SIGN, feed], {
    env: { ...process.env, PARLEY_UPDATE_SIGNING_KEY },
    encoding: 'utf8',
  })
  // Builds are given its output.
  expect(readFeed({ url: 'https://updates.example/', key: printed.trim() })?.key.equals(createPublicKey(key))).toBe(true)
  return readFileSync(`${feed}.sig`, 'utf8')
}

/** Puts a release on the feed. */
function release({ version = '9.0.0', content = 'a new Parley', promised = 'a new Parley', by = makers } = {}) {
  const sha512 = createHash('sha512').update(promised).digest('base64')
  const name = `latest-linux${process.arch === 'x64' ? '' : `-${process.arch}`}.yml`
  const file = `Parley-${version}.AppImage`
  const text = `version: ${version}\nfiles:\n  - url: ${file}\n    sha512: ${sha512}\n    size: ${promised.length}\npath: ${file}\nsha512: ${sha512}\n`
  const signature = signedByScript(text, by.privateKey)
  files = { [`/${name}`]: text, [`/${name}.sig`]: signature, [`/${file}`]: content }
  return { name, file }
}

function updates() {
  const adapter = {
    ...{ version: '1.2.3', name: 'parley', isPackaged: true, appUpdateConfigPath: join(folder, 'none') },
    ...{ userDataPath: folder, baseCachePath: folder },
    whenReady: async () => {},
    relaunch: () => {},
    quit: () => {},
    onQuit: () => {},
  }
  const updater = new AppImageUpdater(null, adapter)
  Object.assign(updater, { httpExecutor: overNode() })
  updater.forceDevUpdateConfig = true
  const told: UpdateState[] = []
  const waiting: { readonly is: UpdateState['is']; readonly done: (state: UpdateState) => void }[] = []
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const confirmed: string[] = []
  const made = new AppUpdates({
    ...{ updater, feed: { url, key: makers.publicKey } },
    onState: (state) => {
      told.push(state)
      for (const { is, done } of waiting) if (is === state.is) done(state)
    },
    ready: async (version) => {
      confirmed.push(version)
      return false
    },
  })
  const until = <Is extends UpdateState['is']>(is: Is) =>
    new Promise<Extract<UpdateState, { is: Is }>>((resolve) => {
      waiting.push({ is, done: (state) => resolve(state as Extract<UpdateState, { is: Is }>) })
    })
  return { updates: made, told, until, confirmed }
}

const appImage = process.env.APPIMAGE
beforeEach(() => {
  process.env.APPIMAGE = join(folder, 'Parley.AppImage')
})
afterEach(() => {
  if (appImage === undefined) delete process.env.APPIMAGE
  else process.env.APPIMAGE = appImage
})

describe.runIf(process.platform === 'linux')('updates', () => {
  it('are found, downloaded and installed each at a click, and never by themselves', async () => {
    const { name, file } = release()
    const { updates: app, told, until, confirmed } = updates()
    app.download()
    app.install()
    expect([asked, told, confirmed]).toEqual([[], [], []])
    const available = until('available')
    app.check()
    expect(await available).toEqual({ is: 'available', version: '9.0.0' })
    expect(asked.map(({ path }) => path)).toEqual([`/${name}`, `/${name}.sig`])
    const ready = until('ready')
    app.download()
    expect(await ready).toEqual({ is: 'ready', version: '9.0.0' })
    expect(readFileSync(join(folder, 'parley-updates', 'pending', file), 'utf8')).toBe('a new Parley')
    app.install()
    // Again while the person is asked: they are asked once.
    app.install()
    expect(confirmed).toEqual(['9.0.0'])
  })

  it('reveal nothing about the one who asks', async () => {
    release()
    const { updates: app, until } = updates()
    const available = until('available')
    app.check()
    await available
    const sent = JSON.stringify(asked)
    expect(sent).not.toMatch(/staging|1\.2\.3/)
  })

  it.each([
    ['signed by somebody else', () => release({ by: others })],
    [
      'not signed',
      () => {
        const { name } = release()
        delete files[`/${name}.sig`]
      },
    ],
    [
      'changed after it was signed',
      () => {
        const { name } = release()
        files[`/${name}`] = files[`/${name}`]?.replace('9.0.0', '9.0.1') ?? ''
      },
    ],
  ])('are refused when their feed is %s', async (_what, publish) => {
    publish()
    const { updates: app, told, until } = updates()
    const failed = until('failed')
    app.check()
    expect((await failed).problem.what).toBe('The update failed.')
    app.download()
    expect(told.map(({ is }) => is)).toEqual(['checking', 'failed'])
  })

  it('are deleted when they are not what was signed', async () => {
    const { file } = release({ content: 'something else' })
    const { updates: app, until } = updates()
    const available = until('available')
    app.check()
    await available
    const failed = until('failed')
    app.download()
    expect((await failed).problem.said).toMatch(/sha512/)
    expect(existsSync(join(folder, 'parley-updates', 'pending', file))).toBe(false)
  })

  it.each(['1.2.3', '1.0.0'])('are never an older version: %s', async (version) => {
    release({ version })
    const { updates: app, until } = updates()
    const newest = until('newest')
    app.check()
    await newest
  })
})
