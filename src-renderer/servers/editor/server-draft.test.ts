import { describe, expect, it } from 'vitest'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import { DEFAULT_SERVER_OPTIONS } from '../../../src-shared/contract/server-defaults.ts'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import { emptyPair } from '../../forms/pair-drafts.ts'
import {
  checkDraft,
  emptyDraft,
  fillFrom,
  fillFromLine,
  otherAccountDraft,
  type ServerDraft,
  serverDraftOf,
} from './server-draft.ts'
import { NO_CLIENT, type SignInDraft, signInDraftOf } from './sign-in-draft.ts'

const nobody = new Set<string>()
const local: ServerDraft = { ...emptyDraft(), name: 'files', command: 'npx' }
const remote: ServerDraft = { ...emptyDraft(), kind: 'remote', name: 'far', url: 'https://example.org/mcp' }

function errorsOf(draft: ServerDraft, taken: ReadonlySet<string> = nobody) {
  const check = checkDraft(draft, taken)
  return check.ok ? {} : Object.fromEntries(check.errors)
}

describe('the server form', () => {
  it('makes a local server from the typed text', () => {
    const env = [{ ...emptyPair(), name: ' TOKEN ', value: ' x ' }, emptyPair()]
    const check = checkDraft({ ...local, name: ' files ', args: '-y "a b"', env, cwd: ' /tmp ' }, nobody)
    expect(check.ok && check.config).toEqual({
      name: 'files',
      launch: { type: 'local', command: 'npx', args: ['-y', 'a b'], env: { TOKEN: { text: ' x ' } }, cwd: '/tmp' },
      options: { requestTimeout: null, maxRequestTime: null, startTimeout: null, era: 'auto', draftProfile: false },
    })
  })

  it('allows http for a server on this computer', () => {
    expect(errorsOf({ ...remote, url: 'http://localhost:3000/mcp' })).toEqual({})
    expect(errorsOf({ ...remote, url: 'http://[::1]:3000/mcp' })).toEqual({})
  })

  it('makes a remote server and ignores the fields of a local one', () => {
    const headers = [{ ...emptyPair(), name: 'X-Key', value: 'k' }]
    const check = checkDraft({ ...remote, args: '"', headers }, nobody)
    expect(check.ok && check.config.launch).toEqual({
      type: 'remote',
      url: 'https://example.org/mcp',
      headers: { 'X-Key': { text: 'k' } },
    })
  })

  it('signs in as a registered client, whose saved secret stays until another is typed (XAUTH-4)', () => {
    const signs = (signIn: Partial<SignInDraft>) => ({ ...remote, signIn: { ...NO_CLIENT, by: 'client' as const, ...signIn } })
    const sent = (signIn: Partial<SignInDraft>) => {
      const check = checkDraft(signs(signIn), nobody)
      return check.ok ? check.config.signIn : undefined
    }
    expect(sent({ clientId: ' robot ', secret: 's', scopes: ' a  b ' })).toEqual({
      ...{ by: 'client', clientId: 'robot', proof: { secret: 's' }, scopes: ['a', 'b'] },
    })
    const saved = signInDraftOf({ clientId: 'robot', proof: 'key', algorithm: 'ES256', scopes: [] })
    expect(sent(saved)).toEqual({ by: 'client', clientId: 'robot', proof: { kept: 'key', algorithm: 'ES256' }, scopes: [] })
    expect(sent({ ...saved, by: 'browser' })).toEqual({ by: 'browser' })
    expect(errorsOf(signs({}))).toMatchObject({
      clientId: expect.stringMatching(/registered/),
      clientSecret: expect.stringMatching(/secret/),
    })
    expect(errorsOf(signs({ ...saved, proof: 'secret', issuer: 'nowhere' }))).toMatchObject({
      clientSecret: expect.stringMatching(/secret/),
      issuer: expect.stringMatching(/address/),
    })
    expect(errorsOf(signs({ clientId: 'a', proof: 'key', key: 'ssh-rsa AAAA' }))).toMatchObject({
      clientKey: expect.stringMatching(/BEGIN/),
    })
    const plain = checkDraft(remote, nobody)
    expect(plain.ok && plain.config).not.toHaveProperty('signIn')
  })

  it('keeps a saved secret until a new one is typed', () => {
    const server: ServerRecord = {
      id: 'files' as ServerId,
      name: 'files',
      builtIn: false,
      launch: { type: 'local', command: 'npx', args: ["it's"], env: { A: { secret: 's1' }, B: { text: 'b' } } },
      options: DEFAULT_SERVER_OPTIONS,
      state: { is: 'stopped', why: 'stopped' },
      launchIdentity: '',
      catalog: { version: 0, tools: 0, resources: 0, templates: 0, prompts: 0, problems: [] },
    }
    const draft = serverDraftOf(server)
    expect(draft.env.map(({ key: _key, ...pair }) => pair)).toEqual([
      { name: 'A', value: '', saved: 's1' },
      { name: 'B', value: 'b' },
    ])
    const sent = (env: ServerDraft['env']) => {
      const check = checkDraft({ ...draft, env }, nobody)
      return check.ok && check.config.launch.type === 'local' ? check.config.launch : undefined
    }
    expect(sent(draft.env)).toMatchObject({ args: ["it's"], env: { A: { secret: 's1' }, B: { text: 'b' } } })
    expect(sent(draft.env.map((pair) => ({ ...pair, value: 'new' })))?.env).toEqual({ A: { text: 'new' }, B: { text: 'new' } })
  })

  it('starts for another account with the address, the options and a free name, without the headers and the client of the first', () => {
    const server: ServerRecord = {
      id: 'far' as ServerId,
      name: 'far',
      launch: { type: 'remote', url: 'https://example.org/mcp', headers: { 'X-Key': { secret: 's1' } } },
      builtIn: false,
      options: { ...DEFAULT_SERVER_OPTIONS, requestTimeout: 5_000 },
      state: { is: 'stopped', why: 'stopped' },
      launchIdentity: '',
      catalog: { version: 0, tools: 0, resources: 0, templates: 0, prompts: 0, problems: [] },
      signsInAs: { clientId: 'robot', proof: 'secret', scopes: [] },
    }
    const taken = new Set(['far', 'Far 2'])
    const check = checkDraft(otherAccountDraft(server, taken), taken)
    expect(check.ok && check.config).toEqual({
      name: 'far 3',
      launch: { type: 'remote', url: 'https://example.org/mcp', headers: {} },
      options: { requestTimeout: 5_000, maxRequestTime: null, startTimeout: null, era: 'auto', draftProfile: false },
    })
  })

  it.each<[Partial<ServerDraft>, Record<string, RegExp>]>([
    [{ name: ' ' }, { name: /name/ }],
    [{ name: 'taken' }, { name: /already/ }],
    [{ name: 'TAKEN' }, { name: /named taken already exists/ }],
    [{ name: 'Playground' }, { name: /Parley itself/ }],
    [{ name: 'n'.repeat(65) }, { name: /64/ }],
    [{ kind: 'remote', url: 'http://example.org' }, { url: /https/ }],
    [{ name: 'a\u202eb' }, { name: /invisible/ }],
    [{ command: '' }, { command: /program/ }],
    [{ args: 'a "b' }, { args: /not closed/ }],
    [{ requestTimeout: '0' }, { requestTimeout: /1 to 86400/ }],
    [{ startTimeout: '86401' }, { startTimeout: /1 to 86400/ }],
    [{ maxRequestTime: 'soon' }, { maxRequestTime: /1 to 86400/ }],
    [{ requestTimeout: '900', maxRequestTime: '600' }, { maxRequestTime: /shorter/ }],
    [{ kind: 'remote', url: '' }, { url: /address/ }],
    [{ kind: 'remote', url: 'example.org' }, { url: /not an address/ }],
    [{ kind: 'remote', url: 'file:///etc/passwd' }, { url: /https/ }],
    [{ kind: 'remote', url: 'https://me:pw@example.org' }, { url: /header/ }],
  ])('says at the field why %j is wrong', (part, expected) => {
    const errors = errorsOf({ ...local, ...part }, new Set(['taken']))
    expect(Object.keys(errors)).toEqual(Object.keys(expected))
    for (const [field, pattern] of Object.entries(expected)) expect(errors[field as keyof typeof errors]).toMatch(pattern)
  })

  it('says which row is wrong', () => {
    const [a, b, c] = [
      { ...emptyPair(), name: 'A', value: '1' },
      { ...emptyPair(), name: 'A', value: '2' },
      { ...emptyPair(), value: '3' },
    ]
    expect(errorsOf({ ...local, env: [a, b, c] })).toEqual({
      [`env-${b.key}`]: 'A appears twice',
      [`env-${c.key}`]: 'Required',
    })
    const headers = [{ ...emptyPair(), name: 'X-A', value: 'a\nb' }]
    expect(Object.values(errorsOf({ ...remote, headers }))).toEqual(['A header’s value must be one line'])
  })

  it('splits a command line and keeps other variables', () => {
    const env = [
      { ...emptyPair(), name: 'A', value: '1' },
      { ...emptyPair(), name: 'B', value: '', saved: 's1' },
    ]
    const draft = fillFromLine({ ...local, env }, { command: 'uvx', args: ['a b'], env: { A: '2', C: '3' } })
    expect(draft).toMatchObject({ command: 'uvx', args: "'a b'" })
    expect(draft.env.map(({ key: _key, ...pair }) => pair)).toEqual([
      { name: 'B', value: '', saved: 's1' },
      { name: 'A', value: '2' },
      { name: 'C', value: '3' },
    ])
  })

  it.each([
    ['npx', '-y @modelcontextprotocol/server-filesystem /tmp', 'filesystem'],
    ['npx', '-y @playwright/mcp@latest', 'playwright'],
    ['node', '/home/ada/weather-server/build/index.js', 'weather'],
    ['python3', '-u C:\\tools\\server-notes\\main.py --all', 'notes'],
    ['npx', 'mcp', 'mcp'],
    ['uvx', 'mcp-server-git --repository .', 'git'],
    ['uvx', 'obsidian-mcp-server', 'obsidian'],
    ['npx', '-y', ''],
    ['node', 'server.mjs', ''],
  ])('is named after the package or the script of the command line %s %s, if any', (command, args, name) => {
    const line = { command, args: args.split(' '), env: {} }
    expect(fillFromLine(emptyDraft(), line).name).toBe(name)
    expect(fillFromLine({ ...emptyDraft(), name: 'mine' }, line).name).toBe('mine')
  })

  it('is filled by a pasted entry and keeps a typed name', () => {
    const pasted = { name: 'theirs', command: 'uvx', args: ['a b'], env: { K: 'v' }, headers: {} }
    expect(fillFrom(emptyDraft(), pasted)).toMatchObject({ name: 'theirs', kind: 'local', command: 'uvx', args: "'a b'" })
    expect(fillFrom({ ...emptyDraft(), name: 'mine' }, pasted).name).toBe('mine')
    expect(fillFrom(emptyDraft(), { args: [], env: {}, headers: {}, url: 'https://a.example' })).toMatchObject({
      kind: 'remote',
      url: 'https://a.example',
    })
  })
})
