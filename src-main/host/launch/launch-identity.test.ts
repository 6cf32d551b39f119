import { describe, expect, it } from 'vitest'
import type { Launch } from '../../../src-shared/contract/servers.ts'
import { changes, launchIdentity, loadsCode, summarize, valueMarks } from './launch-identity.ts'

type Local = Extract<Launch, { type: 'local' }>

const key = new Uint8Array(32).fill(7)
const none = new Map<string, string>()
const local = (part: Partial<Local> = {}): Local => ({ type: 'local', command: 'node', args: ['a.js'], env: {}, ...part })
const remote = (url: string, headers: Record<string, { text: string }> = {}) => ({ type: 'remote', url, headers }) as const

const facts = (launch: Exclude<Launch, { type: 'built-in' }>, secrets = none) => ({
  summary: summarize(launch, { cwd: (launch.type === 'local' && launch.cwd) || '/home/me' }),
  values: valueMarks(key, launch, secrets),
})
const changed = (before: Exclude<Launch, { type: 'built-in' }>, now: Exclude<Launch, { type: 'built-in' }>) =>
  changes(facts(before), facts(now))

describe('the identity of a launch', () => {
  const base = launchIdentity(key, local({ env: { A: { text: '1' }, B: { text: '2' } } }), none)

  it('does not depend on the order of variables, and is keyed', () => {
    expect(launchIdentity(key, local({ env: { B: { text: '2' }, A: { text: '1' } } }), none)).toBe(base)
    expect(launchIdentity(new Uint8Array(32), local({ env: { A: { text: '1' }, B: { text: '2' } } }), none)).not.toBe(base)
    expect(base).toMatch(/^[0-9a-f]{64}$/)
  })

  it.each([
    ['the command', { command: 'deno' }],
    ['an argument', { args: ['b.js'] }],
    ['how arguments are divided', { args: ['a', '.js'] }],
    ['the folder', { cwd: '/tmp' }],
    ['a value', { env: { A: { text: '1' }, B: { text: '3' } } }],
    ['a name', { env: { A: { text: '1' }, C: { text: '2' } } }],
    ['a variable more', { env: { A: { text: '1' }, B: { text: '2' }, C: { text: '' } } }],
  ])('changes with %s (SEC-22)', (_what, part) => {
    expect(launchIdentity(key, local({ env: { A: { text: '1' }, B: { text: '2' } }, ...part }), none)).not.toBe(base)
  })

  it('is the same whether a value stands in the clear or in the secret store, and changes with the secret', () => {
    const clear = launchIdentity(key, local({ env: { T: { text: 'v' } } }), none)
    const kept = local({ env: { T: { secret: 'id' } } })
    expect(launchIdentity(key, kept, new Map([['id', 'v']]))).toBe(clear)
    expect(launchIdentity(key, kept, new Map([['id', 'w']]))).not.toBe(clear)
    expect(launchIdentity(key, kept, none)).not.toBe(clear)
  })

  it('of a remote server is its address and the names of its headers', () => {
    const one = launchIdentity(key, remote('https://a.example/mcp', { 'X-Key': { text: '1' } }), none)
    expect(launchIdentity(key, remote('https://a.example/mcp', { 'x-key': { text: '2' } }), none)).toBe(one)
    expect(launchIdentity(key, remote('https://a.example/mcp'), none)).not.toBe(one)
    expect(launchIdentity(key, remote('https://b.example/mcp', { 'X-Key': { text: '1' } }), none)).not.toBe(one)
  })
})

describe('what changed in a launch', () => {
  it('is said in plain words', () => {
    expect(changed(local(), local({ command: 'deno' }))).toEqual(['The command was “node” and is now “deno”.'])
    expect(changed(local(), local({ args: [] }))).toEqual(['The arguments were “a.js” and are now none.'])
    expect(changed(local(), local({ cwd: '/tmp' }))).toEqual(['The working folder was “/home/me” and is now “/tmp”.'])
    expect(changed(local(), local({ env: { A: { text: '1' } } }))).toEqual(['The variable A is new.'])
    expect(changed(local({ env: { A: { text: '1' } } }), local())).toEqual(['The variable A is gone.'])
    expect(changed(remote('https://a.example/'), remote('https://b.example/'))).toEqual([
      'The address was “https://a.example/” and is now “https://b.example/”.',
    ])
    expect(changed(local(), remote('https://a.example/x'))).toEqual([
      'It was a program on this computer and is now a remote server at “a.example”.',
    ])
  })

  it('names a changed value, and shows it only where it can load code', () => {
    const env = (text: string) => local({ env: { CITY: { text }, NODE_OPTIONS: { text } } })
    expect(changed(env('one'), env('two'))).toEqual([
      'The value of CITY changed.',
      'The value of NODE_OPTIONS changed from “one” to “two”.',
    ])
    const kept = facts(env('one'))
    expect(JSON.stringify(kept.values)).not.toContain('one')
  })

  it('stays short however long the launch is', () => {
    const [sentence = ''] = changed(local({ args: ['x'.repeat(100_000)] }), local({ args: ['y'.repeat(100_000)] }))
    expect(sentence.length).toBeLessThan(1000)
  })
})

describe('variables that load code', () => {
  it('are known by name', () => {
    const names = ['NODE_OPTIONS', 'LD_PRELOAD', 'DYLD_INSERT_LIBRARIES', 'Path', 'PYTHONPATH', 'BASH_ENV', 'GIT_SSH_COMMAND']
    expect(names.filter(loadsCode)).toEqual(names)
    expect(['API_KEY', 'HOME', 'PORT'].filter(loadsCode)).toEqual([])
  })
})
