import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fenceHere } from '../../../e2e/support/fence-here.ts'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { until } from '../../../e2e/support/until.ts'
import { ServerHost, small, temporaryFolder } from '../../../e2e/test-hosts/server-host.ts'
import { systemClock } from '../../../src-shared/base/clock.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'

const WIRE = new URL('../../../e2e/servers/small/wire.mjs', import.meta.url).href
const here = await fenceHere()
const MINE = 'mine' as ServerId

/** A server that says its version, and that of its library, and writes a file where it is told to. */
const source = (version: string) => `
import { writeFileSync } from 'node:fs'
import { handshake, serve, text } from '${WIRE}'
import { library } from './parts/library.mjs'
const tools = [
  { name: 'version', inputSchema: { type: 'object' } },
  { name: 'write', inputSchema: { type: 'object', properties: { file: { type: 'string' }, text: { type: 'string' } } } },
]
serve({
  initialize: handshake('mine'),
  ping: () => ({}),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name, arguments: args }) => {
    if (name === 'write') writeFileSync(args.file, args.text)
    return text('${version} ' + library)
  },
})
`

/** A person who works on a server that runs, and restarts when its files change. */
async function developer({ clock, folder }: { readonly clock?: ManualClock; readonly folder?: string } = {}) {
  const code = folder ?? (await temporaryFolder())
  const file = join(code, 'server.mjs')
  const library = join(code, 'parts', 'library.mjs')
  for (const name of ['parts', 'node_modules']) await mkdir(join(code, name), { recursive: true })
  await writeFile(file, source('one'))
  await writeFile(library, "export const library = 'old'")
  const parley = await ServerHost.open(clock ? { clock } : {})
  await parley.ready('mine', { type: 'local', command: process.execPath, args: [file], env: {} }, { restartOnChange: true })
  const logged = async (text: string) => (await parley.log('mine')).filter((line) => line.includes(text)).length
  const isLogged = (text: string) => until(() => logged(text), `“${text}” in the log`)
  const version = () => parley.call(MINE, 'version')
  const asked = () => parley.host.state.snapshot.interactions.length
  return { parley, code, file, library, logged, isLogged, version, asked }
}

describe('a server that restarts when its files change', () => {
  it('runs the code that the person wrote, with no question and no other identity', async () => {
    const { parley, code, file, isLogged, version, asked } = await developer()
    const { launchIdentity, codePath } = parley.record('mine')
    expect(codePath).toBe(code)
    await writeFile(file, source('two'))
    await isLogged('host: Restarted: server.mjs changed.')
    await parley.until('mine', 'ready')
    expect(await version()).toBe('two old')
    expect(asked()).toBe(0)
    expect(parley.record('mine').launchIdentity).toBe(launchIdentity)
    await parley.end()
    const again = await ServerHost.open({ folder: parley.folder })
    expect(again.record('mine')).toMatchObject({ state: { is: 'idle' }, launchIdentity })
  })

  it('follows the folders of its own code, and neither installed packages nor data', async () => {
    const { parley, code, library, logged, isLogged, version } = await developer()
    await writeFile(join(code, 'node_modules', 'package.js'), '1')
    await writeFile(join(code, 'memory.json'), '{}')
    await writeFile(library, "export const library = 'new'")
    await isLogged('Restarted: library.mjs changed.')
    await parley.until('mine', 'ready')
    expect(await logged('Restarted')).toBe(1)
    expect(await version()).toBe('one new')
  })

  it('is left running when a tool call may have written the file, and its restart asks about the file', async () => {
    const { parley, file, isLogged, logged } = await developer()
    await parley.call(MINE, 'write', { file, text: source('of the model') })
    await isLogged('Not restarted: server.mjs changed while a tool call ran.')
    expect(parley.record('mine').codeProblem).toMatchObject({
      code: 'code-changed',
      what: 'server.mjs changed while a tool call ran.',
    })
    expect(await logged('Restarted')).toBe(0)
    await parley.host.servers.controls.restart(MINE)
    const { question } = await parley.question('mine')
    expect(question.changed).toEqual([`The file “${file}” changed.`])
    await parley.answer('mine', 'allow')
    await parley.until('mine', 'ready')
    expect(parley.record('mine').codeProblem).toBeUndefined()
    expect(await parley.call(MINE, 'version')).toBe('of the model old')
  })

  it.skipIf(!here)('is left running when another server may change files there from its fence', async () => {
    const { parley, code, file, isLogged } = await developer()
    const folders = [{ path: code, write: true }]
    await parley.ready('notes', small('ok.mjs'), { fence: { network: 'none', folders } })
    await writeFile(file, source('two'))
    await isLogged('Not restarted: server.mjs changed where “notes” may change files.')
  })

  it('takes no edit as the person’s own on top of one that a call may have made', async () => {
    const clock = new ManualClock(systemClock.now())
    const { parley, file } = await developer({ clock })
    const settled = (look: () => Promise<unknown>, what: string) => {
      return until(() => {
        clock.advance(50)
        return look()
      }, what)
    }
    await parley.call(MINE, 'write', { file, text: source('of the model') })
    await settled(async () => parley.record('mine').codeProblem, 'the doubt')
    clock.advance(10_000)
    await writeFile(file, `${await readFile(file, 'utf8')}// by hand`)
    await settled(async () => (await parley.storage.records.all('trust')).get(MINE)?.edits, 'the edit to be looked at')
    await parley.host.servers.controls.restart(MINE)
    expect((await parley.question('mine')).question.changed).toEqual([`The file “${file}” changed.`])
  })

  it('waits with the restart until it is free', async () => {
    const { parley, file, logged, isLogged } = await developer()
    const release = parley.host.servers.configured.get(MINE).hold()
    await writeFile(file, source('two'))
    await isLogged('server.mjs changed. Restarts when its calls have ended.')
    expect(await logged('Restarted')).toBe(0)
    release()
    await isLogged('Restarted: server.mjs changed.')
  })

  it('waits for a build that removes its folder first, and takes what the build makes as the person’s own', async () => {
    const { code, file, parley, logged, isLogged, version } = await developer({ folder: join(await temporaryFolder(), 'dist') })
    await rm(code, { recursive: true })
    await isLogged('server.mjs and 1 other file changed. Restarts when the missing code is back.')
    expect(await logged('Restarted')).toBe(0)
    await mkdir(join(code, 'parts'), { recursive: true })
    await writeFile(join(code, 'parts', 'library.mjs'), "export const library = 'new'")
    await writeFile(file, source('built'))
    await isLogged('Restarted: ')
    await until(() => parley.record('mine').state.is === 'ready', 'the start')
    await until(async () => (await version()) === 'built new', 'the new code')
  })

  it('starts again after an edit that broke it', async () => {
    const { parley, file, isLogged, version } = await developer()
    await writeFile(file, 'throw new Error("half written")')
    await isLogged('Restarted: server.mjs changed.')
    await parley.until('mine', 'failed')
    await writeFile(file, source('mended'))
    await parley.until('mine', 'ready')
    expect(await version()).toBe('mended old')
  })

  it('says that its code is not watched when there are too many folders', async () => {
    const code = await temporaryFolder()
    await Promise.all(Array.from({ length: 501 }, (_, at) => mkdir(join(code, `part${at}`))))
    const { parley } = await developer({ folder: code })
    const problem = await until(() => parley.record('mine').codeProblem, 'the problem')
    expect(problem.what).toBe('Its code is not watched: there are more than 500 folders or 20000 files around it.')
    await parley.host.servers.controls.setOptions(MINE, { restartOnChange: false })
    expect(parley.record('mine').codeProblem).toBeUndefined()
  })
})
