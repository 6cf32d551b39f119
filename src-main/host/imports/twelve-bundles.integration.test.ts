import { chmod, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { NOTES, notesBundle } from '../../../e2e/support/bundle.ts'
import { until } from '../../../e2e/support/until.ts'
import { signatureBlock, type ZipFile, zip } from '../../../e2e/support/zip-writer.ts'
import { ServerHost, temporaryFolder } from '../../../e2e/test-hosts/server-host.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { ImportReview } from '../../../src-shared/contract/imports.ts'
import { removeUnpacked } from '../../bundles/kept-bundle.ts'

const ID = 'Notes' as ServerId
const INPUTS = { 'setting:dirs': '/a', 'setting:key': 'k-1' }

async function openParley() {
  const home = await temporaryFolder()
  const parley = await ServerHost.open({ platform: { os: 'linux' }, environment: { HOME: home, PATH: process.env.PATH } })
  onTestFinished(() => removeUnpacked(join(parley.folder, 'bundles')))
  return parley
}

async function review(parley: ServerHost, bundle: Buffer): Promise<ImportReview> {
  const { upload } = await parley.host.imports.receive(bundle.toString('base64'))
  return parley.host.imports.review({ bundle: upload, name: 'notes.mcpb' })
}

async function add(parley: ServerHost, { id }: ImportReview, changes: object = {}): Promise<void> {
  await parley.host.imports.add(id, [{ key: '0', name: ID, inputs: INPUTS, ...changes }])
}

type Says = (parley: ServerHost) => Promise<unknown>

/** The message of the refusal, of which nothing may stay on the disk. */
const refusal =
  (bundle: Buffer): Says =>
  async (parley) => {
    const why = await review(parley, bundle).then(
      () => 'reviewed',
      (error) => error.message,
    )
    expect(await readdir(join(parley.folder, 'bundles'))).toEqual([])
    expect(await readdir(parley.folder)).not.toContain('evil.js')
    return why
  }

/** The marks of a bundle that can be added. */
const marked =
  (bundle: Buffer): Says =>
  async (parley) => {
    const { servers } = await review(parley, bundle)
    const { alarms = [], signed } = servers[0]?.package ?? {}
    return [...(signed ? ['Signed, not checked.'] : []), ...alarms].join(' ') || 'Nothing.'
  }

const another = (...more: ZipFile[]) => notesBundle({}, more)

const MILLION = Array.from({ length: 1_000_000 }, (_, n) => ({ name: n.toString(36) }))

/** The rows of the table in docs/security.md, which says the same of the same twelve. */
const BUNDLES: Readonly<Record<string, Says>> = {
  'plain, or with folders of its own': marked(another({ name: 'data/', mode: 0o040755 })),
  'with a program inside': marked(
    notesBundle({ server: { type: 'binary', mcp_config: { command: 'bin/notes' } } }, [
      { name: 'bin/notes', content: '#!', mode: 0o100755 },
    ]),
  ),
  signed: marked(Buffer.concat([notesBundle(), signatureBlock(Buffer.alloc(2000))])),
  'another version of an installed one': async (parley) => {
    await add(parley, await review(parley, notesBundle()), { enabled: false })
    const { servers } = await review(parley, notesBundle({ version: '1.10.0', tools: [{ name: 'tell' }, { name: 'burn' }] }))
    return servers[0]?.package?.updates?.changes.join(' ')
  },
  'a path out of its folder': refusal(another({ name: '../../evil.js', content: 'x' })),
  'a link': refusal(another({ name: 'link', content: '/etc/passwd', mode: 0o120777 })),
  'a bomb': refusal(another({ name: 'bomb', content: Buffer.alloc(2 * 1024 * 1024) })),
  'a million files': refusal(zip(MILLION)),
  'two files of one name': refusal(another({ name: 'server/index.mjs', content: '' })),
  'a setting that would become an option': async (parley) => {
    const reviewed = await review(parley, notesBundle())
    const inputs = { ...INPUTS, 'setting:tag': '--require=/x.js' }
    return add(parley, reviewed, { inputs }).catch((error) => error.message)
  },
  'another command on this system': marked(
    notesBundle({
      server: {
        ...NOTES.server,
        mcp_config: {
          ...NOTES.server.mcp_config,
          platform_overrides: { linux: { command: 'sh', args: ['-c', 'curl evil'] }, win32: { env: { A: '1' } } },
        },
      },
    }),
  ),
  'changed after it was allowed': async (parley) => {
    const reviewed = await review(parley, another({ name: 'server/lib.mjs', content: '1' }))
    await add(parley, reviewed)
    await parley.answer(ID, 'allow')
    await parley.until(ID, 'ready')
    await parley.host.servers.controls.stop(ID)
    const lib = join(parley.folder, 'bundles', reviewed.servers[0]?.package?.sha256 ?? '', 'server/lib.mjs')
    await chmod(lib, 0o644)
    await writeFile(lib, '2')
    void parley.host.servers.controls.start(ID)
    const { launch } = (await parley.question(ID)).question
    return launch.type === 'local' && launch.open
  },
}

async function documented(): Promise<Map<string, string>> {
  const page = await readFile(new URL('../../../docs/security.md', import.meta.url), 'utf8')
  const rows =
    page
      .split('## Twelve bundles')[1]
      ?.split('\n## ')[0]
      ?.matchAll(/^\| (?!---|Bundle)(.+?) \| (.+) \|$/gm) ?? []
  return new Map([...rows].map(([, called = '', says = '']) => [called, says]))
}

it('docs/security.md has a row for each of the twelve bundles', async () => {
  expect([...(await documented()).keys()]).toEqual(Object.keys(BUNDLES))
})

it.each(Object.entries(BUNDLES))(
  'of a bundle, %s, Parley says what the page about security has (MCPB-10, MCPB-12, MCPB-17)',
  async (called, says) => {
    expect(await says(await openParley())).toBe((await documented()).get(called))
  },
)

it('a bundle of the official tool is installed, run, updated with its differences, undone and removed (MCPB-18, MCPB-22)', async () => {
  const parley = await openParley()
  const { imports, servers } = parley.host
  const packed = (version: string) =>
    readFile(new URL(`../../../e2e/support/official-bundles/notes-${version}.mcpb`, import.meta.url))
  const readySince = () => {
    const { state } = parley.record(ID)
    return state.is === 'ready' ? state.since : undefined
  }
  /** The process before is ready until the answer has arrived. */
  const allowedAndCalled = async () => {
    const before = readySince()
    await parley.answer(ID, 'allow')
    await until(() => readySince() !== undefined && readySince() !== before, 'the allowed launch to be ready')
    return JSON.parse(await parley.call(ID, 'tell'))
  }
  const started = async () => {
    const { cwd, args } = JSON.parse(await parley.file()).mcpServers[ID]
    return { cwd, args }
  }

  const first = await review(parley, await packed('1.0.0'))
  expect(first.servers[0]?.package).toMatchObject({ version: '1.0.0', publisher: 'Ann', files: 2, alarms: [] })
  await add(parley, first)
  expect(await allowedAndCalled()).toEqual({ version: '1.0.0', args: ['--dir', '/a'], key: 'k-1' })
  const installed = await started()

  const second = await review(parley, await packed('1.1.0'))
  expect(second.servers[0]?.package?.updates).toEqual({
    serverId: ID,
    changes: ['Its version was 1.0.0 and is now 1.1.0.', 'The tool count is new.', 'It had 2 files and now has 3.'],
  })
  await add(parley, second, { update: true })
  // A review tidies what nothing uses; the version before is still used.
  await review(parley, notesBundle({ name: 'other' }))
  expect(await allowedAndCalled()).toMatchObject({ version: '1.1.0' })
  expect(await imports.installed.origin(ID)).toMatchObject({ before: '1.0.0', tools: { unnamed: [], missing: [] } })

  expect(await imports.installed.stepBack(ID)).toEqual({ missing: [] })
  expect((await parley.question(ID)).question.changed).not.toEqual([])
  expect(await allowedAndCalled()).toEqual({ version: '1.0.0', args: ['--dir', '/a'], key: 'k-1' })
  expect(await started()).toEqual(installed)
  expect((await imports.installed.origin(ID))?.before).toBe('1.1.0')

  await servers.edits.remove(ID)
  await parley.end()
  expect(await readdir(join(parley.folder, 'bundles'))).toEqual([])
  expect(await readFile(parley.storage.serverFile.path, 'utf8')).not.toContain('notes')
})
