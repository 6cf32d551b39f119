// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what hosts write for a value from elsewhere
import { describe, expect, it } from 'vitest'
import type { ServerOptions } from '../../../src-shared/contract/servers.ts'
import { EntryError, type ForeignLaunch, type ForeignServer } from '../../../src-shared/foreign/foreign-server.ts'
import { nameWarnings, reviewServers } from './review-servers.ts'
import { filledLaunch, inputsOf, inTheClear, type StagedServer, shownStagedLaunch, stageServer } from './staged-server.ts'
import type { Syntax } from './variables.ts'

const local = (part: Partial<Extract<ForeignLaunch, { type: 'local' }>>): ForeignServer => ({
  name: 'a',
  launch: { type: 'local', command: 'x', args: [], env: {}, ...part },
  options: {},
  notTaken: [],
})
const remote = (url: string, headers: Record<string, string> = {}): ForeignServer => ({
  name: 'a',
  launch: { type: 'remote', url, headers },
  options: {},
  notTaken: [],
})

/** As a host of these syntaxes has it, whose person has this environment. */
function hold(foreign: ForeignServer, syntaxes: Syntax[], environment: Record<string, string> = {}): StagedServer {
  const known = { home: '/home/ada', separator: '/', project: '/work/shop' }
  const source = { known, inputs: new Map(), prefix: '', server: 'a', syntaxes: new Set(syntaxes) }
  return stageServer(foreign, { ...source, environment: (name) => environment[name] })
}

const KEY = 'sk-0123456789abcdef0123'

describe('a value of another host', () => {
  it.each<[string, Syntax[], string]>([
    ['${env:PLACE}', ['env'], 'here'],
    ['${PLACE}', ['braces'], 'here'],
    ['${PLACE:-there}', ['braces'], 'here'],
    ['${OTHER:-there}/x', ['braces'], 'there/x'],
    ['$PLACE/x', ['dollar'], 'here/x'],
    ['${userHome}/bin', ['code'], '/home/ada/bin'],
    ['${workspaceFolder}${/}src', ['code'], '/work/shop/src'],
    ['${workspaceFolderBasename}', ['code'], 'shop'],
    ['${PLACE} $PLACE ${env:PLACE}', [], '${PLACE} $PLACE ${env:PLACE}'],
    ['${PLACE}', ['env'], '${PLACE}'],
    ['$5 and ${} and ${a b}', ['braces', 'dollar', 'env', 'code'], '$5 and ${} and ${a b}'],
  ])('%s is read as that host reads it', (text, syntaxes, read) => {
    const held = hold(local({ args: [text] }), syntaxes, { PLACE: 'here' })
    expect(filledLaunch(held, {})).toMatchObject({ args: [read] })
  })

  it('from the environment goes to the secret store, and reaches the program in a variable', () => {
    const held = hold(local({ env: { CITY: '${env:PLACE}', DIR: '${env:HOME}/x' } }), ['env'], {
      PLACE: 'Oslo',
      HOME: '/home/ada',
    })
    expect(shownStagedLaunch(held)).toMatchObject({ env: { CITY: { secret: 'import:CITY' }, DIR: { text: '/home/ada/x' } } })
    expect(filledLaunch(held, {})).toMatchObject({ env: { CITY: { text: 'Oslo', lift: true }, DIR: { text: '/home/ada/x' } } })
  })

  it('that is a key is asked for where it would be in the clear, and is not read from the environment', () => {
    const held = hold(local({ args: ['--token', '${env:API_TOKEN}'] }), ['env'], { API_TOKEN: KEY })
    expect(JSON.stringify(held)).not.toContain(KEY)
    expect(inputsOf(held)).toEqual([{ id: 'env:API_TOKEN', label: 'API_TOKEN', secret: true }])
    expect(inTheClear(held)).toEqual(['argument 2'])
    expect(filledLaunch(held, {})).toMatchObject({ label: 'API_TOKEN' })
    expect(filledLaunch(held, { 'env:API_TOKEN': 'given' })).toMatchObject({ args: ['--token', 'given'] })
  })

  it.each([
    ['by its name', { API_KEY: 'abc' }],
    ['by its shape', { VALUE: KEY }],
    ['in an address with a password', { DATABASE: 'postgres://ada:hunter22@db/shop' }],
  ])('that is secret %s never reaches the page', (_how, env) => {
    const [[name = '', value = ''] = []] = Object.entries(env)
    const held = hold(local({ env }), [])
    expect(shownStagedLaunch(held)).toMatchObject({ env: { [name]: { secret: `import:${name}` } } })
    expect(filledLaunch(held, {})).toMatchObject({ env: { [name]: { text: value, lift: true } } })
  })

  it.each(['<YOUR_KEY>', 'YOUR_API_KEY', 'your-key-here', '${API_KEY}', 'xxxx', 'Bearer <token>', '...'])(
    '%s is a placeholder, and is asked for',
    (value) => expect(inputsOf(hold(local({ env: { API_KEY: value } }), []))).toMatchObject([{ secret: true }]),
  )

  it.each(['my-bucket', 'a<b>c', 'x', 'https://example.com'])('%s is no placeholder', (value) => {
    expect(inputsOf(hold(local({ env: { PLACE: value } }), []))).toEqual([])
  })

  it('that is secret in an argument or address is named', () => {
    const args = [
      '--api-key',
      'abc',
      '--header',
      `Authorization: Bearer ${KEY}`,
      '--token=abc',
      '--port=80',
      'plain',
      '--no-auth',
      '--x',
    ]
    expect(inTheClear(hold(local({ args }), []))).toEqual(['argument 2', 'argument 4', 'argument 5'])
    expect(inTheClear(hold(remote('https://x.example/mcp?api_key=abc'), []))).toEqual(['the address'])
    expect(inTheClear(hold(remote('https://x.example/mcp'), []))).toEqual([])
  })
})

describe('a server that could not be added', () => {
  it.each<[ForeignServer, string]>([
    [remote('http://example.com/mcp'), 'https://'],
    [remote('file:///etc/passwd'), 'https:// or http://'],
    [remote('https://ada:pw@example.com/mcp'), 'not into the address'],
    [remote('https://x', { Host: 'y' }), 'set by Parley itself'],
    [remote('https://x', { 'a b': 'y' }), 'not a valid header name'],
    [remote('https://x', { A: 'b\r\nC: d' }), 'line breaks'],
    [local({ env: { 'A=B': 'c' } }), 'not a valid variable name'],
    [local({ args: Array(1001).fill('x') }), 'too large'],
    [local({ args: ['x'.repeat(65 * 1024)] }), 'too large'],
  ])('is refused in words (%#)', (foreign, said) => {
    expect(() => hold(foreign, [])).toThrow(EntryError)
    expect(() => hold(foreign, [])).toThrow(said)
  })

  it('is not refused for an address that is still to be entered', () => {
    expect(inputsOf(hold(remote('${BASE}/mcp'), ['braces']))).toMatchObject([{ label: 'BASE' }])
  })
})

describe('the name of a server of another host', () => {
  it('is reported when it has invisible characters', () => {
    expect(nameWarnings('github')).toEqual([])
    expect(nameWarnings('日本語 server é')).toEqual([])
    expect(nameWarnings('git\u200bhub')).toEqual(['Its name has invisible characters. They are left out.'])
    expect(nameWarnings('githуb')).toEqual(['Its name mixes letters of different alphabets that look alike.'])
  })
})

describe('a review', () => {
  const here = (launch: ForeignServer['launch'] & { type: 'local' }, name = 'a') => ({
    name,
    launch: { ...launch, env: Object.fromEntries(Object.keys(launch.env).map((key) => [key, { secret: 'server-local-1' }])) },
  })
  const reviewed = (foreign: ForeignServer, entries: Parameters<typeof reviewServers>[1]) =>
    reviewServers([{ foreign, held: hold(foreign, ['env']) }], entries)[0]

  it('recognizes an existing server by its launch, whatever its keys and name', () => {
    const launch = { type: 'local' as const, command: 'x', args: ['a', '${env:PLACE}'], env: { API_KEY: KEY } }
    const foreign = { ...local({}), launch }
    expect(reviewed(foreign, [here({ ...launch, args: ['a', 'Oslo'] }, 'mine')])?.here).toEqual({ is: 'same', as: 'mine' })
    expect(reviewed(foreign, [here({ ...launch, args: ['b', 'Oslo'] })])).toMatchObject({
      here: { is: 'name-taken' },
      name: 'a 2',
    })
    expect(reviewed(foreign, [here({ ...launch, args: ['b', 'Oslo'] }, 'b')])).toMatchObject({ here: { is: 'new' }, name: 'a' })
    expect(reviewed(foreign, [here({ ...launch, env: {} }, 'b')])?.here).toEqual({ is: 'new' })
  })

  it('gives every server its own name', () => {
    const options: Partial<ServerOptions> = {}
    const entries = ['a', 'A', 'a'].map((name) => ({ foreign: { ...local({}), name, options }, held: hold(local({}), []) }))
    expect(reviewServers(entries, []).map(({ name }) => name)).toEqual(['a', 'A 2', 'a 3'])
  })
})
