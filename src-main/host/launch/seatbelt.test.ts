import { describe, expect, it } from 'vitest'
import type { Reach } from './fenced-command.ts'
import { seatbelted } from './seatbelt.ts'

const HOME = '/Users/ada'
const DATA = `${HOME}/Library/Application Support/Parley`
const OWN = `${DATA}/homes/0a1b`
const OTHER = `${DATA}/homes/9f8e`
const NODE = '/opt/homebrew/bin/node'

const reach = (changes: Partial<Reach> = {}): Reach => ({
  read: [],
  write: [],
  network: 'none',
  home: HOME,
  ownHome: OWN,
  dataFolder: DATA,
  ...changes,
})
const inner = { command: NODE, args: ['server.mjs', '-p', ''], env: { HOME, PATH: '/usr/bin' }, cwd: HOME }

type Form = string | readonly Form[]

/** The forms of a profile. A string keeps its first quote, so that it differs from a word. */
function read(text: string): readonly Form[] {
  const words = text.match(/#?"(?:[^"\\]|\\.)*"|[()]|[^\s()"]+/g) ?? []
  const forms = (): Form[] => {
    const found: Form[] = []
    for (let word = words.shift(); word !== undefined && word !== ')'; word = words.shift()) {
      found.push(word === '(' ? forms() : word)
    }
    return found
  }
  return forms()
}

/** The judgement of a profile about one act, as the kernel makes it: the last rule that fits decides. */
function judge(command: { readonly args: readonly string[] }) {
  const [, profile = '', ...others] = command.args
  const params = new Map<string, string>()
  for (let at = 0; others[at] === '-D'; at += 2) {
    const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(others[at + 1] ?? '') ?? []
    params.set(name, value)
  }
  const text = (form: Form | undefined): string => {
    if (typeof form === 'string') return form.replace(/^#?"|"$/g, '')
    const [word, name] = form ?? []
    if (word !== 'param') throw new Error(`not a text: ${JSON.stringify(form)}`)
    const value = params.get(text(name))
    if (value === undefined) throw new Error(`no parameter ${text(name)}`)
    return value
  }
  const isAt = (place: string, folder: string) => place === folder || place.startsWith(`${folder}/`)
  const fits = (filter: Form, place: string): boolean => {
    const [word, ...rest] = filter as readonly Form[]
    if (word === 'subpath') return isAt(place, text(rest[0]))
    if (word === 'literal' || word === 'path-literal') return place === text(rest[0])
    if (word === 'remote' || word === 'local') {
      const [kind, what] = rest
      return kind === 'unix-socket'
        ? fits(what ?? [], place)
        : kind === 'ip' && (text(what) === '*:*' ? /^[^/]+:\d+$/.test(place) : text(what) === place)
    }
    if (word === 'require-all') return rest.every((one) => fits(one, place))
    if (word === 'require-not') return !fits(rest[0] ?? [], place)
    if (word === 'sysctl-name-prefix') return place.startsWith(text(rest[0]))
    if (word === 'xpc-service-name-prefix') return false // of services that only a program's own bundle has
    if (word === 'regex') return new RegExp(text(rest[0])).test(place)
    if (word === 'extension' || word === 'target' || word === 'socket-protocol' || word === 'socket-domain') return false
    return text(rest[0]) === place
  }
  const rules = read(profile).flatMap((form) => {
    const [action, ...rest] = form as readonly Form[]
    if (action !== 'allow' && action !== 'deny') return []
    const operations = rest.filter((one): one is string => typeof one === 'string')
    return [{ action, operations, filters: rest.filter((one) => typeof one !== 'string') }]
  })
  const named = (name: string, operation: string) =>
    name === 'default' || name === operation || (name.endsWith('*') && operation.startsWith(name.slice(0, -1)))
  return (operation: string, place = ''): boolean =>
    rules.findLast(
      ({ operations, filters }) =>
        operations.some((name) => named(name, operation)) && (filters.length === 0 || filters.some((one) => fits(one, place))),
    )?.action === 'allow'
}

const READ = 'file-read-data'
const WRITE = 'file-write-data'
const judged = (changes?: Partial<Reach>) => judge(seatbelted(reach(changes), inner))

describe('a profile of Seatbelt', () => {
  it('hides the home folder, the data of Parley and other servers, and shows programs of the system (HOUSE-32)', () => {
    const may = judged()
    const hidden = [
      `${HOME}/.ssh/id_ed25519`,
      `${HOME}/Library/Keychains/login.keychain-db`,
      HOME,
      '/Users',
      DATA,
      `${DATA}/mcp.json`,
      `${OTHER}/notes.txt`,
      `${OWN}x/notes.txt`,
      '/System/Volumes/Data/Users/ada/.ssh/id_ed25519',
      '/opt/homebrew/var/postgres/base',
      '/private/etc/master.passwd',
      '/private/tmp/other.txt',
      '/private/var/folders/ab/T/other.txt',
      '/Volumes/Disk/file',
      '/Applications/Mail.app/x',
    ]
    expect(hidden.filter((place) => may(READ, place) || may(WRITE, place))).toEqual([])
    const shown = ['/', '/usr/lib/dyld', '/System/Library/x', '/opt/homebrew/lib/x.dylib', '/private/etc/hosts', '/dev/urandom']
    expect(shown.filter((place) => !may(READ, place))).toEqual([])
    expect(shown.filter((place) => may(WRITE, place))).toEqual([])
    expect(may(WRITE, '/dev/null')).toBe(true)
    expect([may('process-exec', NODE), may('process-exec', `${HOME}/bin/tool`)]).toEqual([true, false])
  })

  it('has a home folder and temporary files of its own, which become the HOME and TMPDIR', () => {
    const { env, cwd } = seatbelted(reach(), { ...inner, env: { ...inner.env, TMPDIR: '/var/folders/x', SSH_AUTH_SOCK: '/s' } })
    expect([env, cwd]).toEqual([{ HOME: OWN, TMPDIR: `${OWN}/tmp`, PATH: '/usr/bin' }, OWN])
    const may = judged()
    for (const operation of [READ, WRITE, 'file-write-create', 'file-write-unlink'])
      expect(may(operation, `${OWN}/tmp/a`)).toBe(true)
    expect(seatbelted(reach(), { ...inner, cwd: '/opt/x' }).cwd).toBe('/opt/x')
  })

  it('reads in the folders to read, and changes those to change alone', () => {
    const may = judged({ read: [`${HOME}/reading`], write: [`${HOME}/writing`] })
    expect([may(READ, `${HOME}/reading/a`), may(WRITE, `${HOME}/reading/a`)]).toEqual([true, false])
    expect([may(READ, `${HOME}/writing/a`), may(WRITE, `${HOME}/writing/a`)]).toEqual([true, true])
    expect([may(READ, `${HOME}/reading-2/a`), may(WRITE, `${HOME}/writing2`)]).toEqual([false, false])
    expect([may('file-read-metadata', HOME), may(READ, HOME)]).toEqual([true, false])
  })

  it.each([
    ['a folder to read in one to change', [`${HOME}/work/fixed`], [`${HOME}/work`], [false, true]],
    ['a folder to change in one to read', [`${HOME}/work`], [`${HOME}/work/fixed`], [true, false]],
  ])('gives %s its own rule', (_case, read, write, expected) => {
    const may = judged({ read, write })
    expect([may(WRITE, `${HOME}/work/fixed/a`), may(WRITE, `${HOME}/work/a`)]).toEqual(expected)
    expect(may(READ, `${HOME}/work/fixed/a`)).toBe(true)
  })

  it('lets no folder be taken away that Parley looks for at the next start', () => {
    const may = judged({ read: [`${HOME}/writing/a/b`], write: [`${HOME}/writing`] })
    for (const place of [OWN, `${HOME}/writing`, `${HOME}/writing/a`, `${HOME}/writing/a/b`]) {
      expect([place, may('file-write-unlink', place), may('file-write-create', place)]).toEqual([place, false, false])
    }
    expect(may('file-write-unlink', `${HOME}/writing/other`)).toBe(true)
  })

  it('shows of the data of Parley only what is named, whatever else holds it', () => {
    const bundle = `${DATA}/bundles/one`
    const may = judged({ read: [bundle, HOME], write: ['/Users'] })
    expect([may(READ, `${bundle}/server.mjs`), may(WRITE, `${bundle}/server.mjs`)]).toEqual([true, false])
    expect([may(READ, `${DATA}/mcp.json`), may(WRITE, `${OTHER}/a`), may('process-exec', `${OTHER}/a`)]).toEqual([
      false,
      false,
      false,
    ])
  })

  it('knows folders behind the links of macOS by both names', () => {
    const may = judged({ read: ['/tmp/one'], write: ['/var/folders/x'], ownHome: '/var/own', dataFolder: '/var/data' })
    expect([may(READ, '/private/tmp/one/a'), may(WRITE, '/private/var/folders/x/a'), may(WRITE, '/private/var/own/a')]).toEqual([
      true,
      true,
      true,
    ])
    expect([may('file-read-metadata', '/tmp/one'), may('file-read-metadata', '/tmp')]).toEqual([true, true])
  })

  it.each([
    'quote"d',
    'back\\slash',
    'line\nbreak',
    '") (allow default) ("',
    'a=b',
    '(param "PLACE_0")',
    'é ü 日本',
    '-D x=y',
    "it's; (allow file*)",
  ])('takes %j in the name of a folder as a name', (name) => {
    const folder = `${HOME}/${name}`
    const command = seatbelted(reach({ write: [folder] }), inner)
    const may = judge(command)
    expect([may(WRITE, `${folder}/a`), may(READ, `${HOME}/.ssh/id`), may('network-outbound', '192.0.2.1:80')]).toEqual([
      true,
      false,
      false,
    ])
    expect(command.args[1]).toBe(seatbelted(reach({ write: [`${HOME}/plain`] }), inner).args[1])
  })

  it('opens no network, no socket of others and no door to other programs where it has none', () => {
    const may = judged()
    for (const place of [
      '192.0.2.1:80',
      'localhost:5432',
      '*:*',
      '/private/var/run/mDNSResponder',
      '/private/var/run/docker.sock',
    ]) {
      expect([place, may('network-outbound', place), may('network-bind', place)]).toEqual([place, false, false])
    }
    expect([may('network-outbound', `${OWN}/tmp/ipc`), may('network-bind', `${OWN}/tmp/ipc`)]).toEqual([true, true])
    const doors = [
      'com.apple.SecurityServer',
      'com.apple.coreservices.launchservicesd',
      'com.apple.system.notification_center',
      'com.apple.trustd.agent',
    ]
    expect(doors.filter((door) => may('mach-lookup', door))).toEqual([])
    expect(may('mach-lookup', 'com.apple.logd')).toBe(true)
    for (const other of [
      'signal',
      'process-info-pidinfo',
      'lsopen',
      'appleevent-send',
      'ipc-posix-sem',
      'ipc-posix-shm-write-create',
      'nvram-get',
    ]) {
      expect([other, may(other)]).toEqual([other, false])
    }
    expect([may('sysctl-read', 'kern.procargs2.1'), may('sysctl-read', 'kern.proc.all'), may('sysctl-read', 'hw.ncpu')]).toEqual([
      false,
      false,
      true,
    ])
  })

  it('reaches named hosts through one port of this computer, with the credentials of its own proxy', () => {
    const via = 'http://parley:secret@127.0.0.1:4321'
    const command = seatbelted(reach({ network: { via, hosts: ['api.example.com'] } }), inner)
    const may = judge(command)
    expect(
      ['localhost:4321', 'localhost:5432', '192.0.2.1:4321', '192.0.2.1:443'].map((to) => may('network-outbound', to)),
    ).toEqual([true, false, false, false])
    expect([may('network-bind', 'localhost:4321'), may('network-outbound', '/private/var/run/mDNSResponder')]).toEqual([
      false,
      false,
    ])
    expect(command.env).toMatchObject({
      HTTPS_PROXY: via,
      https_proxy: via,
      ALL_PROXY: via,
      SOCKS_PROXY: 'socks5h://parley:secret@127.0.0.1:4321',
      NO_PROXY: '',
      NODE_USE_ENV_PROXY: '1',
    })
    expect(command.args.join('\n')).not.toContain('secret')
  })

  it('reaches any address with any network, and still no socket that has a path', () => {
    const may = judged({ network: 'any' })
    expect([may('network-outbound', '192.0.2.1:443'), may('network-outbound', '/private/var/run/mDNSResponder')]).toEqual([
      true,
      true,
    ])
    const sockets = [
      '/private/var/run/docker.sock',
      '/private/tmp/com.apple.launchd.x/Listeners',
      `${HOME}/.docker/run/docker.sock`,
    ]
    expect(sockets.filter((place) => may('network-outbound', place))).toEqual([])
    expect([may('mach-lookup', 'com.apple.trustd.agent'), may('mach-lookup', 'com.apple.SecurityServer')]).toEqual([true, false])
  })

  it('runs the command as it is, behind the words of sandbox-exec', () => {
    const { command, args } = seatbelted(reach(), inner)
    expect(command).toBe('/usr/bin/sandbox-exec')
    expect([args[0], ...args.slice(args.indexOf('--'))]).toEqual(['-p', '--', NODE, 'server.mjs', '-p', ''])
    // A rule that is not closed would take the next one into itself.
    const open = (args[1] ?? '').replace(/#?"[^"]*"/g, '').match(/[()]/g) ?? []
    expect(open.filter((one) => one === '(').length).toBe(open.filter((one) => one === ')').length)
    const names = new Set((args[1] ?? '').match(/PLACE_\d+/g))
    expect(args.filter((_word, at) => args[at - 1] === '-D').map((word) => word.split('=')[0])).toEqual(
      expect.arrayContaining([...names]),
    )
  })
})
