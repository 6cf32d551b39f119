import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { judgedTool } from '../../../e2e/test-hosts/consent-call.ts'
import { hasNoHooks, namesNoProgram, plainRepository } from './git-facts.ts'
import { pathFacts } from './path-facts.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'parley-repositories-')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const CONFIG = '[core]\n\trepositoryformatversion = 0\n\tbare = false\n[remote "origin"]\n\turl = https://example.com/x.git\n'

/** A repository as Git makes one, of files alone. */
function repository(name: string, { config = CONFIG, more = {} as Record<string, string | Buffer> } = {}): string {
  const at = join(folder, name)
  for (const one of ['objects', 'refs', 'hooks', 'info']) mkdirSync(join(at, '.git', one), { recursive: true })
  writeFileSync(join(at, '.git', 'HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(join(at, '.git', 'config'), config)
  writeFileSync(join(at, '.git', 'hooks', 'post-index-change.sample'), '')
  for (const [file, text] of Object.entries(more)) writeFileSync(join(at, file), text)
  mkdirSync(join(at, 'sub', 'deep'), { recursive: true })
  return at
}

describe('the repository of a Git call', () => {
  it('is found from any folder in it, through links', async () => {
    const at = repository('plain', { more: { '.git/hooks/pre-commit': '' } })
    symlinkSync(join(at, 'sub'), join(folder, 'link'))
    for (const from of [at, join(at, 'sub', 'deep'), join(folder, 'link')]) expect(await plainRepository(from)).toBe(at)
  })

  it.each<[string, Parameters<typeof repository>[1]]>([
    ['a program that watches', { config: '[core]\n\tfsmonitor = ./evil\n' }],
    ['a program that watches, on one line', { config: '[core] fsmonitor = ./evil\n' }],
    ['a program that watches, after a line that goes on', { config: '[user]\n\tname = a\\\n[core]\n\tfsmonitor = x\n' }],
    ['a program that watches, in capitals', { config: '[CORE]\n\tFSMonitor = ./evil\n' }],
    ['a section of the old kind', { config: '[remote.origin]\n\turl = x\n' }],
    ['a pager', { config: '[core]\n\tpager = evil\n' }],
    ['a pager of one command', { config: '[pager]\n\tlog = evil\n' }],
    ['a converter of texts', { config: '[diff "x"]\n\ttextconv = evil\n' }],
    ['another comparison', { config: '[diff]\n\texternal = evil\n' }],
    ['another program for signatures', { config: '[gpg]\n\tprogram = evil\n' }],
    ['signatures that are checked', { config: '[log]\n\tshowSignature = true\n' }],
    ['a command for connections', { config: '[core]\n\tsshCommand = evil\n' }],
    ['a filter', { config: '[filter "x"]\n\tclean = evil\n' }],
    ['another file', { config: '[include]\n\tpath = evil\n' }],
    ['hooks elsewhere', { config: '[core]\n\thooksPath = .evil\n' }],
    ['another folder of work', { config: '[core]\n\tworktree = /\n' }],
    ['a hook that looking runs', { more: { '.git/hooks/post-index-change': '' } }],
    ['a repository within', { more: { '.git/index': Buffer.from([1, 2, 0, 0, 0xe0, 0, 3]) } }],
    ['an index in another file', { more: { '.git/sharedindex.0': '' } }],
    ['parts elsewhere', { more: { '.git/commondir': '/elsewhere' } }],
    ['a head that Git passes over', { more: { '.git/HEAD': 'x' } }],
    ['more than is read', { config: `${CONFIG}#${'x'.repeat(65_536)}` }],
  ])('is not accepted where it names %s', async (what, shape) => {
    expect(await plainRepository(repository(what.replaceAll(/\W+/g, '-'), shape))).toBeUndefined()
  })

  it('is not accepted where it is elsewhere, has no folder of its own, or does not exist', async () => {
    const [pointed, linked, bare] = ['pointed', 'linked', 'bare'].map((name) => join(folder, name)) as [string, string, string]
    for (const one of [pointed, linked, join(bare, 'objects')]) mkdirSync(one, { recursive: true })
    writeFileSync(join(pointed, '.git'), `gitdir: ${repository('behind')}/.git\n`)
    symlinkSync(join(repository('beyond'), '.git'), join(linked, '.git'))
    writeFileSync(join(bare, 'HEAD'), 'ref: refs/heads/main\n')
    for (const at of [pointed, linked, bare, join(bare, 'objects'), join(folder, 'nowhere')])
      expect([at, await plainRepository(at)]).toEqual([at, undefined])
  })

  it('is accepted as Git makes it', async () => {
    const at = join(folder, 'made')
    execFileSync('git', ['init', '-q', at])
    expect(await plainRepository(at)).toBe(at)
  })

  it('has no hooks where its hooks folder has only samples', async () => {
    expect(await hasNoHooks(repository('hookless'))).toBe(true)
    expect(await hasNoHooks(join(folder, 'nowhere'))).toBe(true)
    for (const name of ['pre-commit', 'post-commit', 'anything'])
      expect(await hasNoHooks(repository(`hooked-${name}`, { more: { [`.git/hooks/${name}`]: '' } })), name).toBe(false)
    const linked = repository('hooks-linked')
    rmSync(join(linked, '.git', 'hooks'), { recursive: true })
    symlinkSync(join(folder, 'hooked-pre-commit', '.git', 'hooks'), join(linked, '.git', 'hooks'))
    expect(await hasNoHooks(linked)).toBe(false)
  })

  it('is looked for only where a call runs Git', async () => {
    const at = repository('called')
    const terminal = judgedTool('exec', { inputSchema: { type: 'object', properties: { cwd: { type: 'string' } } } })
    const of = async (args: Record<string, string>) => {
      const { repositories } = await pathFacts(terminal, args, undefined)
      return [at, `${at}/sub`].flatMap((from) => repositories?.get(from) ?? [])
    }
    expect(await of({ command: 'git status', cwd: at })).toEqual([at])
    expect(await of({ command: `cd "${at}/sub" && git log` })).toEqual([at])
    expect(await of({ command: 'git', args: 'status', cwd: at })).toEqual([at])
    expect(await of({ command: 'ls', cwd: at })).toEqual([])
    expect(await of({ command: 'git status' })).toEqual([])
    const recording = judgedTool('git_commit', { published: 'pypi:mcp-server-git' })
    const { repositories, hookless } = await pathFacts(recording, { repo_path: at, message: 'x' }, undefined)
    expect([repositories?.get(at), hookless?.has(at)]).toEqual([at, true])
  })
})

describe('a Git configuration', () => {
  it('names no program where every key is known to hold data', () => {
    expect(namesNoProgram(CONFIG)).toBe(true)
    expect(namesNoProgram('# x\n; y\n\n[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n')).toBe(true)
    expect(namesNoProgram('[branch]\n\tremote = origin\n')).toBe(false)
    expect(namesNoProgram('url = x\n')).toBe(false)
  })
})
