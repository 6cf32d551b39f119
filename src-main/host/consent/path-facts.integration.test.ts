import { chmod, link, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { judgedTool, verdictOn } from '../../../e2e/test-hosts/consent-call.ts'
import type { JsonObject } from '../../../src-shared/base/json.ts'
import { readAct } from '../../consent/act.ts'
import { ConversationProvenance } from '../../consent/provenance.ts'
import { pathFacts } from './path-facts.ts'

let folder: string
let shop: string
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-paths-')))
  shop = join(folder, 'shop')
  await mkdir(shop)
  await mkdir(join(folder, 'private'))
  await writeFile(join(folder, 'keys'), 'x')
  await symlink(join(folder, 'keys'), join(shop, 'today.log'))
  await symlink(join(folder, 'private'), join(shop, 'zz'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const reader = judgedTool('read_multiple_files', { published: '@modelcontextprotocol/server-filesystem' })
const shell = judgedTool('run_command', { defined: ['reads'], inputSchema: { type: 'object', properties: { cwd: {} } } })

/** The verdict on a known server's reading, with ~/shop named. */
async function verdict(args: JsonObject): Promise<string> {
  const facts = await pathFacts(reader, args, shop)
  const seen = new ConversationProvenance()
  const act = readAct(reader, args, { ...facts, seen, base: shop })
  return verdictOn(act, [], { seen, place: { folders: [shop], hosts: [], recipients: [] } }).is
}

const many = (count: number) => Array.from({ length: count }, (_, n) => join(shop, `${n}.txt`))

it('the paths of a command are resolved from the folder in which it runs', async () => {
  const { resolved } = await pathFacts(shell, { command: "cat 'today.log' sub/../today.log other.log", cwd: shop }, '/srv')
  expect(resolved.get(join(shop, 'today.log'))).toBe(join(folder, 'keys'))
  expect(resolved.get(join(shop, 'other.log'))).toBe(join(shop, 'other.log'))
})

it('folders and files are told apart, through links', async () => {
  await symlink(shop, join(folder, 'way'))
  const { folders } = await pathFacts(reader, { paths: [join(folder, 'way'), join(shop, 'a.txt')] }, shop)
  expect([...(folders as Set<string>)]).toEqual([shop])
})

it('a file is plain when it is no program, has no other name or does not exist yet', async () => {
  const [notes, program, second] = [join(shop, 'notes.md'), join(shop, 'run.py'), join(shop, 'second.md')]
  for (const path of [notes, program, join(folder, 'profile')]) await writeFile(path, 'x')
  await chmod(program, 0o744)
  await link(join(folder, 'profile'), second)
  const { plain } = await pathFacts(reader, { paths: [notes, program, second, join(shop, 'new.md'), shop] }, shop)
  expect([...(plain as Set<string>)]).toEqual([notes, join(shop, 'new.md'), shop])
})

describe('the guard for unresolved paths', () => {
  it.each([
    ['the first of 230', () => [join(shop, 'zz', 'diary.md'), ...many(229)]],
    ['the last of 230', () => [...many(229), join(shop, 'zz', 'diary.md')]],
    ['the last of 600', () => [...many(599), join(shop, 'zz', 'diary.md')]],
    ['one of a name alone', () => ['zz/diary.md', 'zz']],
  ])('asks about a link that leads out of the folder: %s', async (_which, paths) => {
    expect(await verdict({ paths: paths() })).toBe('ask')
  })

  it('asks beyond the number of paths that are resolved', async () => {
    expect(await verdict({ paths: many(200) })).toBe('allow')
    expect(await verdict({ paths: many(201) })).toBe('ask')
  })

  it.each([
    ['a link to nothing', async () => symlink(join(folder, 'later'), join(shop, 'new'))],
    ['a link to itself', async () => symlink(join(shop, 'new'), join(shop, 'new'))],
  ])('asks about the target of %s', async (_what, make) => {
    expect(await verdict({ paths: [join(shop, 'new')] })).toBe('allow')
    await make()
    expect(await verdict({ paths: [join(shop, 'new')] })).toBe('ask')
    expect(await verdict({ paths: [join(shop, 'new', 'x')] })).toBe('ask')
  })
})
