import { describe, expect, it } from 'vitest'
import type { Launch } from '../../../src-shared/contract/servers.ts'
import {
  changes,
  type FoundProgram,
  launchIdentity as identityOf,
  summarize,
  valueMarks,
  withoutSecrets,
} from './launch-identity.ts'
import { variableReach } from './variable-reach.ts'

type Local = Extract<Launch, { type: 'local' }>

const key = new Uint8Array(32).fill(7)
const none = new Map<string, string>()
const local = (part: Partial<Local> = {}): Local => ({ type: 'local', command: 'node', args: ['a.js'], env: {}, ...part })
const remote = (url: string, headers: Record<string, { text: string }> = {}) => ({ type: 'remote', url, headers }) as const

const FOUND: FoundProgram = { path: '/usr/bin/node', cwd: '/home/me', code: [{ file: '/home/me/a.js', hash: 'one' }] }
const launchIdentity = (k: Uint8Array, launch: Launch, secrets: ReadonlyMap<string, string>, found = FOUND) =>
  identityOf(k, launch, secrets, launch.type === 'local' ? { ...found, cwd: launch.cwd ?? found.cwd } : undefined)
const facts = (launch: Exclude<Launch, { type: 'built-in' }>, secrets = none) => ({
  summary: summarize(launch, { cwd: (launch.type === 'local' && launch.cwd) || '/home/me', code: [] }),
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

  it.each([
    ['the program that is found', { ...FOUND, path: '/evil/bin/node' }],
    ['where it is seen from', { ...FOUND, cwd: '/elsewhere' }],
    ['what its script holds', { ...FOUND, code: [{ file: '/home/me/a.js', hash: 'two' }] }],
    ['a script that can no longer be read', { ...FOUND, code: [{ file: '/home/me/a.js', hash: null }] }],
  ])('changes with %s (SEC-22)', (_what, found) => {
    const launch = local({ env: { A: { text: '1' }, B: { text: '2' } } })
    expect(launchIdentity(key, launch, none, found)).not.toBe(base)
  })

  it('is the same whether a value is in the clear or in the secret store, and changes with the secret', () => {
    const clear = launchIdentity(key, local({ env: { T: { text: 'v' } } }), none)
    const kept = local({ env: { T: { secret: 'id' } } })
    expect(launchIdentity(key, kept, new Map([['id', 'v']]))).toBe(clear)
    expect(launchIdentity(key, kept, new Map([['id', 'w']]))).not.toBe(clear)
    expect(launchIdentity(key, kept, none)).not.toBe(clear)
  })

  it('of a remote server consists of its address and the names of its headers', () => {
    const one = launchIdentity(key, remote('https://a.example/mcp', { 'X-Key': { text: '1' } }), none)
    expect(launchIdentity(key, remote('https://a.example/mcp', { 'x-key': { text: '2' } }), none)).toBe(one)
    expect(launchIdentity(key, remote('https://a.example/mcp'), none)).not.toBe(one)
    expect(launchIdentity(key, remote('https://b.example/mcp', { 'X-Key': { text: '1' } }), none)).not.toBe(one)
  })
})

describe('the difference between two launches', () => {
  it('is told in plain words', () => {
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

  it('names another program and another script', () => {
    const now = (resolved: string, hash: string) => ({
      ...facts(local()),
      summary: { ...facts(local()).summary, resolved, code: ['/home/me/a.js'] },
      code: { '/home/me/a.js': hash },
    })
    expect(changes(now('/usr/bin/node', 'one'), now('/evil/node', 'two'))).toEqual([
      '“node” was “/usr/bin/node” and is now “/evil/node”.',
      'The file “/home/me/a.js” changed.',
    ])
  })

  it('names a changed value, and shows it unless it looks like a secret', () => {
    const env = (text: string) => local({ env: { CITY: { text }, NODE_OPTIONS: { text } } })
    expect(changed(env('one'), env('two'))).toEqual([
      'The value of CITY changed from “one” to “two”.',
      'The value of NODE_OPTIONS changed from “one” to “two”.',
    ])
    const kept = facts(env('one'))
    expect(JSON.stringify(kept.values)).not.toContain('one')
  })

  it('mentions no unchanged value when only the key of the data folder changed', () => {
    const env = local({ env: { CITY: { text: 'here' } } })
    expect(changes({ ...facts(env), values: { CITY: 'by another key' } }, facts(env))).toEqual(['The way it starts changed.'])
  })

  it('stays short however long the launch is', () => {
    const [sentence = ''] = changed(local({ args: ['x'.repeat(100_000)] }), local({ args: ['y'.repeat(100_000)] }))
    expect(sentence.length).toBeLessThan(1000)
  })
})

describe('the saved record of a launch', () => {
  it('holds no value that looks like a secret', () => {
    const { summary } = facts(local({ env: { API_TOKEN: { text: 'abcd1234' }, CITY: { text: 'Ulm' } } }))
    expect(summary).toMatchObject({
      env: [
        { name: 'API_TOKEN', value: 'abcd1234' },
        { name: 'CITY', value: 'Ulm' },
      ],
    })
    expect(withoutSecrets(summary)).toMatchObject({ env: [{ name: 'API_TOKEN' }, { name: 'CITY', value: 'Ulm' }] })
    expect(JSON.stringify(withoutSecrets(summary))).not.toContain('abcd1234')
  })
})

describe('the variables of a launch', () => {
  it('are shown with their effects (SEC-22)', () => {
    const env = { NODE_OPTIONS: { text: '-r ./x.js' }, HTTPS_PROXY: { secret: 's' }, CITY: { text: 'Ulm' } }
    expect(facts(local({ env })).summary).toMatchObject({
      env: [
        { name: 'NODE_OPTIONS', value: '-r ./x.js', can: 'load-code' },
        { name: 'HTTPS_PROXY', can: 'redirect-traffic' },
        { name: 'CITY', value: 'Ulm' },
      ],
    })
  })

  it('are known by name when they load code, change what is downloaded or redirect traffic', () => {
    const found = (names: string[]) => [...new Set(names.map(variableReach))]
    expect(
      found([
        'NODE_OPTIONS',
        'LD_PRELOAD',
        'DYLD_INSERT_LIBRARIES',
        'Path',
        'PYTHONUSERBASE',
        'npm_config_node_options',
        'HOME',
        'PS4',
        'OPENSSL_CONF',
        'GIT_SSH_COMMAND',
      ]),
    ).toEqual(['load-code'])
    expect(found(['UV_DEFAULT_INDEX', 'PIP_EXTRA_INDEX_URL', 'npm_config_registry'])).toEqual(['change-downloads'])
    expect(found(['DOCKER_HOST', 'HTTPS_PROXY', 'NODE_TLS_REJECT_UNAUTHORIZED', 'OPENAI_BASE_URL'])).toEqual(['redirect-traffic'])
    expect(found(['API_KEY', 'PORT', 'GITHUB_TOKEN', 'SLACK_TEAM_ID', 'LOG_LEVEL'])).toEqual([undefined])
  })

  it('are marked unless known to be harmless, future ones included', () => {
    const names = ['LUA_INIT', 'BUN_OPTIONS', 'JULIA_LOAD_PATH', 'ERL_FLAGS', 'R_PROFILE_USER', 'DOTNET_ADDITIONAL_DEPS']
    for (const name of [...names, 'SHELLOPTS', 'JAVA_OPTS']) expect([name, variableReach(name)]).toEqual([name, 'load-code'])
    for (const name of ['CITY', 'LDAP_URL', 'FUTURE_PRELOAD', 'TOKENIZER_PLUGIN', 'MONKEY'])
      expect([name, variableReach(name)]).toEqual([name, 'unknown'])
  })
})
