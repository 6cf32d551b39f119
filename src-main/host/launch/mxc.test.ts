import { win32 as path } from 'node:path'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../src-shared/base/clock.ts'
import { findFence } from './fence.ts'
import { refusal } from './fence-reach.ts'
import type { Command, Reach } from './fenced-command.ts'
import { LaunchError } from './launch-error.ts'
import { contained, mxcProgram, readsOnlyInside, withCopied } from './mxc.ts'

const HOME = 'C:\\Users\\ada'
const DATA = `${HOME}\\AppData\\Roaming\\Parley`
const OWN = `${DATA}\\homes\\0a1b`
const OTHER = `${DATA}\\homes\\9f8e`
const PROGRAM = mxcProgram(`${HOME}\\AppData\\Local`, 'x64')
const NODE = 'C:\\Program Files\\nodejs\\node.exe'

const inner: Command = {
  command: NODE,
  args: ['server.mjs'],
  env: {
    SystemRoot: 'C:\\Windows',
    Path: 'C:\\Windows',
    UserProfile: HOME,
    HOMEPATH: '\\Users\\ada',
    API_KEY: 'secret=1',
    '=C:': 'C:\\',
  },
  cwd: HOME,
}
const made = (changes: Partial<Reach> = {}, program: Partial<Command> = {}) => {
  const reach: Reach = { read: [], write: [], network: 'none', home: HOME, ownHome: OWN, dataFolder: DATA, ...changes }
  const command = contained(PROGRAM, ['C:\\'], reach, { ...inner, ...program })
  return { ...command, request: JSON.parse(command.handed?.text ?? '') }
}

/** The judgement about a file as MXC documents it: nothing but what is listed, the nearest folder decides, and a drive gives nothing below it. */
function judged(changes?: Partial<Reach>) {
  const { readonlyPaths, readwritePaths } = made(changes).request.filesystem
  const lists = [
    ...readonlyPaths.map((at: string) => ({ at, may: 'read' })),
    ...readwritePaths.map((at: string) => ({ at, may: 'write' })),
  ]
  return (place: string) => {
    const found = lists
      .filter(({ at }) => place === at || (!/^.:\\$/.test(at) && place.toLowerCase().startsWith(`${at}\\`.toLowerCase())))
      .toSorted((a, b) => a.at.length - b.at.length)
      .at(-1)
    return found?.may
  }
}

/** The words of a command line as the C runtime of Windows reads them. */
function wordsOf(line: string): readonly string[] {
  const words: string[] = []
  let word: string | undefined
  let isQuoted = false
  for (let at = 0; at < line.length; at++) {
    const slashes = /^\\*/.exec(line.slice(at))?.[0].length ?? 0
    if (slashes > 0) {
      const before = line[at + slashes] === '"'
      word = (word ?? '') + '\\'.repeat(before ? Math.floor(slashes / 2) : slashes)
      at += slashes - 1
      if (before && slashes % 2 === 1) {
        word += '"'
        at++
      }
    } else if (line[at] === '"') {
      isQuoted = !isQuoted
      word ??= ''
    } else if (line[at] === ' ' && !isQuoted) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + line[at]
  }
  return word === undefined ? words : [...words, word]
}

describe('a request for a container of Windows', () => {
  it('hides the home folder, the data of Parley and other servers (HOUSE-32)', () => {
    const may = judged({ read: ['C:\\work\\papers'], write: [`${HOME}\\notes`] })
    const hidden = [
      `${HOME}\\.ssh\\id_ed25519`,
      `${HOME}\\AppData\\Local\\Google\\Chrome\\User Data\\Default\\Login Data`,
      HOME,
      'C:\\Users',
      'C:\\work',
      'C:\\work\\papers2\\file',
      DATA,
      `${DATA}\\mcp.json`,
      `${OTHER}\\notes.txt`,
      `${OWN}.json`,
      `${OWN}-packages\\code.js`,
      'D:\\',
    ]
    expect(hidden.filter((place) => may(place) !== undefined)).toEqual([])
    expect([`${OWN}\\cache`, `${HOME}\\notes\\a.txt`, 'C:\\work\\papers\\a.txt', 'C:\\'].map(may)).toEqual([
      'write',
      'write',
      'read',
      'read',
    ])
  })

  it('lets a folder inside another have a rule of its own', () => {
    const may = judged({ read: ['C:\\work\\in'], write: ['C:\\work', 'C:\\work\\in\\deep'] })
    expect(['C:\\work\\a', 'C:\\work\\in\\a', 'C:\\work\\in\\deep\\a'].map(may)).toEqual(['write', 'read', 'write'])
  })

  it('holds nothing that could make it weaker, and forbids what the program would fall back to', () => {
    const { request } = made()
    expect(Object.keys(request).toSorted()).toEqual(
      ['containment', 'fallback', 'filesystem', 'lifecycle', 'network', 'process', 'ui', 'version'].toSorted(),
    )
    expect(request).toMatchObject({
      version: '1.0.0',
      containment: 'processcontainer',
      fallback: { allowDaclMutation: false },
      lifecycle: { destroyOnExit: true, preservePolicy: false },
      process: { inheritDefaultEnv: false },
      ui: { clipboard: 'none', injection: false },
    })
  })

  it('has no network, any, or the way to the proxy alone', () => {
    const closed = { default: 'deny', hostLoopback: 'deny' }
    expect(made().request.network).toEqual({ egress: { default: 'deny' }, ingress: closed })
    expect(made({ network: 'any' }).request.network).toEqual({
      egress: { default: 'allow' },
      ingress: { ...closed, default: 'allow' },
    })
    const via = 'http://parley:word@127.0.0.1:4567'
    const { request } = made({ network: { via, hosts: ['api.example.com'] } })
    expect([request.network.egress, request.runtimeConfig]).toEqual([{ default: 'deny' }, { networkProxy: via }])
    expect([made().request.runtimeConfig, made({ network: 'any' }).request.runtimeConfig]).toEqual([undefined, undefined])
  })

  it('gives the server its variables with a home folder of its own, each name once', () => {
    const { env } = made({}, { env: { ...inner.env, Npm_Config_Cache: 'C:\\cache', NODE_OPTIONS: '--no-warnings' } }).request
      .process
    const names = env.map((entry: string) => entry.slice(0, entry.indexOf('=')).toUpperCase())
    expect(new Set(names).size).toBe(names.length)
    expect(env).toEqual(
      expect.arrayContaining(['API_KEY=secret=1', `USERPROFILE=${OWN}`, `TEMP=${OWN}`, 'SystemRoot=C:\\Windows']),
    )
    expect(env.filter((entry: string) => entry.toLowerCase().endsWith('ada') || entry.startsWith('='))).toEqual([])
    expect(env.find((entry: string) => entry.startsWith('NODE_OPTIONS='))).toMatch(
      /^NODE_OPTIONS=--no-warnings --preserve-symlinks /,
    )
  })

  it('stands in a file that no server reaches, and leaves no value on a command line or with the program of Windows', () => {
    const { command, args, env, cwd, handed } = made()
    expect([command, args]).toEqual([PROGRAM, ['--config', handed?.file]])
    expect(env).toEqual({ SystemRoot: 'C:\\Windows', UserProfile: HOME })
    // Windows loads libraries from the working folder, too.
    expect(cwd).toBe(path.dirname(PROGRAM))
    expect(judged()(handed?.file ?? '')).toBeUndefined()
  })

  it.each([
    [['plain', 'two words', '']],
    [['C:\\with space\\', '\\\\server\\share\\', 'back\\slash']],
    [['say "so"', '\\"', '"', '\\\\"x', 'a\\']],
    [['& calc', '%PATH%', '^', '|', "'"]],
  ])('passes on the words %j as they are', (args) => {
    const { commandLine } = made({}, { args }).request.process
    expect(wordsOf(commandLine)).toEqual([NODE, ...args])
  })

  it('starts npx as the script that it stands for, and no other script of the command interpreter', () => {
    const npx = 'C:\\Program Files\\nodejs\\npx.cmd'
    const script = 'C:\\Program Files\\nodejs\\node_modules\\npm\\bin\\npx-cli.js'
    const { commandLine } = made({}, { command: npx, args: ['-y', 'pkg'] }).request.process
    expect(wordsOf(commandLine)).toEqual([NODE, script, '-y', 'pkg'])
    for (const command of ['C:\\tools\\server.cmd', 'C:\\tools\\SERVER.BAT'])
      expect(() => made({}, { command })).toThrow(LaunchError)
    expect(withCopied({ ...inner, command: npx }, `${OWN}-packages`).args.slice(2)).toEqual([
      '--',
      `${OWN}-packages`,
      script,
      'server.mjs',
    ])
    expect(() => withCopied({ ...inner, command: 'C:\\tools\\uvx.exe' }, '')).toThrow('only with npx')
  })

  it.each([
    ['a word', { args: ['a\0b'] }],
    ['a variable', { env: { KEY: 'a\0PATH=C:\\evil' } }],
    ['the working folder', { cwd: 'C:\\work\0' }],
  ])('is refused where %s holds the character that ends a text', (_where, program) => {
    expect(() => made({}, program)).toThrow(LaunchError)
  })
})

describe('a trial of a container', () => {
  const [inside, outside, token] = [`${OWN}\\inside.txt`, 'C:\\x\\outside.txt', 'f00d']

  it.each([
    ['reads its own file alone', `${inside}:${token}\r\nFINDSTR: Cannot open ${outside}\r\n`, true],
    ['reads the other one, too', `${inside}:${token}\r\n${outside}:${token}\r\n`, false],
    ['reads the other one in capitals', `${inside}:${token}\r\n${outside.toUpperCase()}:${token}\r\n`, false],
    ['reads nothing', `FINDSTR: Cannot open ${inside}`, false],
    ['does not start', 'error: BaseContainer is unavailable on this system and DACL fallback is disabled', false],
  ])('that %s decides', (_what, output, isFence) => {
    expect(readsOnlyInside(output, { inside, outside, token })).toBe(isFence)
  })
})

it('Windows without MXC has no fence, and the page says how to install the one that Parley knows', async () => {
  const computer = { environment: { LocalAppData: '/nowhere' }, clock: systemClock, folder: '/nowhere' }
  expect(await findFence({ ...computer, os: 'win32' })).toMatchObject({
    none: {
      code: 'no-fence',
      what: 'The fence needs Microsoft’s MXC, which is not installed.',
      todo: expect.stringContaining('npm install --ignore-scripts --prefix "\\nowhere\\mxc" @microsoft/mxc-sdk@1.0.1'),
    },
  })
  expect(await findFence({ ...computer, os: 'freebsd' })).toMatchObject({
    none: { what: 'Parley has no fence for this system yet.' },
  })
})

it('no fence of Windows is opened for what belongs to programs, to the system, or to a drive as a whole', () => {
  const around = { home: HOME, dataFolder: DATA }
  const refused = [
    'C:\\',
    'D:\\',
    'C:\\Users',
    HOME,
    'c:\\users\\ADA',
    `${HOME}\\.ssh`,
    `${HOME}\\..ssh`,
    `${HOME}\\AppData\\Local\\Temp`,
    `${HOME.toLowerCase()}\\appdata`,
    DATA,
    `${DATA}\\homes`,
    'C:\\Windows\\System32',
    'D:\\windows',
    'C:\\Program Files (x86)\\App',
    'C:\\ProgramData\\App',
    '\\\\server\\share',
    '\\\\?\\C:\\Users\\ada\\.ssh',
    '\\\\.\\pipe\\name',
    'C:work',
    'work',
    '/work',
  ]
  expect(refused.filter((folder) => refusal(folder, around) === undefined)).toEqual([])
  const opened = [`${HOME}\\Documents`, `${HOME}\\OneDrive\\notes`, 'C:\\work', 'D:\\projects\\one', 'C:\\Users\\ada2\\shared']
  expect(opened.map((folder) => refusal(folder, around))).toEqual(Array(5).fill(undefined))
})
