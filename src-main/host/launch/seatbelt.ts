import { posix as path } from 'node:path'
import { isWithin } from '../../consent/read-path.ts'
import { proxyEnvironment } from './fence-gate.ts'
import { type Command, environmentInside, type Reach } from './fenced-command.ts'

const SANDBOX_EXEC = '/usr/bin/sandbox-exec'

/** Folders of package managers, of which `var` and most of `etc` hold data of other programs. */
const PREFIXES = ['/opt/homebrew', '/opt/local', '/usr/local']
const OF_PREFIX = [
  'bin',
  'Cellar',
  'etc/ca-certificates',
  'etc/openssl@3',
  'Frameworks',
  'lib',
  'libexec',
  'opt',
  'sbin',
  'share',
]

/** Programs of the system and what they need. All of /System would hold /System/Volumes/Data, and with it the person's files. */
const SYSTEM = [
  ...['/bin', '/sbin', '/usr/bin', '/usr/lib', '/usr/libexec', '/usr/sbin', '/usr/share', '/nix/store'],
  ...['/System/Library', '/System/Cryptexes', '/System/Volumes/Preboot/Cryptexes', '/System/iOSSupport'],
  ...['/Library/Apple', '/Library/Developer/CommandLineTools', '/Library/Fonts', '/Library/Frameworks', '/Library/Java'],
  ...['/Applications/Xcode.app/Contents/Developer'],
  ...['DarwinDirectory/local/recordStore.data', 'oah', 'timezone', 'xcode_select_link'].map((name) => `/private/var/db/${name}`),
  ...['/private/var/select', '/private/var/run/resolv.conf'],
  ...'group hosts localtime passwd protocols resolv.conf services ssl'.split(' ').map((name) => `/private/etc/${name}`),
  ...['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom', '/dev/dtracehelper', '/dev/fd'],
  ...PREFIXES.flatMap((prefix) => OF_PREFIX.map((name) => `${prefix}/${name}`)),
]

/** Links of macOS to folders of the same name in /private, where the kernel finds what is in them. */
const PRIVATE_LINKS = ['/etc', '/tmp', '/var']

const SYSCTLS =
  `kern.argmax kern.bootargs kern.boottime kern.hostname kern.maxfiles kern.maxfilesperproc kern.maxproc kern.ngroups
  kern.osproductversion kern.osrelease kern.ostype kern.osvariant_status kern.osversion kern.secure_kernel kern.tcsm_available
  kern.tcsm_enable kern.usrstack64 kern.version kern.willshutdown security.mac.lockdown_mode_state sysctl.proc_cputype vm.loadavg
  vm.pagesize vm.swapusage`.split(/\s+/)

/**
 * The part that all servers share. `deny default` leaves out what the second line denies. No shared memory, no semaphores, no
 * notifications, no keychain and no other program to be opened: over these a server without a network could send.
 */
const BASE = `(version 1)
(deny default)
(deny process-info* nvram* file-map-executable)
(deny mach-lookup (xpc-service-name-prefix ""))
(allow process-fork)
(allow signal process-info* (target same-sandbox))
(allow mach-lookup
  (global-name "com.apple.bsd.dirhelper")
  (global-name "com.apple.logd")
  (global-name "com.apple.system.logger")
  (global-name "com.apple.system.opendirectoryd.libinfo")
  (global-name "com.apple.system.opendirectoryd.membership"))
(allow ipc-posix-shm-read-data (ipc-posix-name "apple.shm.notification_center"))
(allow iokit-get-properties)
(allow sysctl-read
  (sysctl-name-prefix "hw.")
  (sysctl-name-prefix "machdep.cpu.")
${SYSCTLS.map((name) => `  (sysctl-name "${name}")`).join('\n')})
(allow sysctl-write (sysctl-name "kern.tcsm_enable"))
(allow file-read* (literal "/"))
(allow file-read-metadata ${PRIVATE_LINKS.map((link) => `(literal "${link}")`).join(' ')})
(allow file-write-data file-ioctl (literal "/dev/null") (literal "/dev/zero") (literal "/dev/dtracehelper"))
(allow pseudo-tty)
(allow file-read* file-write* file-ioctl (literal "/dev/ptmx"))
(allow file-read* file-write* file-ioctl (require-all (regex #"^/dev/ttys[0-9]+") (extension "com.apple.sandbox.pty")))`

/** Addresses of any computer and the look-up of names; sockets of other programs, which have paths, are not among them. */
const ANY_NETWORK = `(allow network-outbound (remote ip "*:*"))
(allow network-bind network-inbound (local ip "*:*"))
(allow network-outbound (remote unix-socket (path-literal "/private/var/run/mDNSResponder")))
(allow system-socket (require-all (socket-domain AF_SYSTEM) (socket-protocol 2)))
(allow sysctl-read (sysctl-name-prefix "net.routetable"))
(allow mach-lookup
  (global-name "com.apple.SystemConfiguration.configd")
  (global-name "com.apple.SystemConfiguration.DNSConfiguration")
  (global-name "com.apple.networkd")
  (global-name "com.apple.ocspd")
  (global-name "com.apple.trustd.agent"))`

/**
 * The command that runs `inner` under a profile of Seatbelt, in Apple's Sandbox Profile Language: later rules win. Rules and names are
 * those that Chromium, OpenAI Codex (MIT) and `@anthropic-ai/sandbox-runtime` (Apache-2.0) use; unlike there, reading is an allow-list.
 * Paths are parameters of the profile, so that no name of a folder is read as a part of it.
 */
export function seatbelted(reach: Reach, inner: Command): Command {
  const { network, home } = reach
  const ownHome = inPrivate(reach.ownHome)
  const { profile, places } = profileOf(reach)
  const named = typeof network === 'string' ? undefined : network
  return {
    command: SANDBOX_EXEC,
    args: [
      ...['-p', profile],
      ...[...places].flatMap(([place, name]) => ['-D', `${name}=${place}`]),
      ...['--', inner.command, ...inner.args],
    ],
    env: {
      ...environmentInside(inner.env),
      ...(named && proxyEnvironment(named.via)),
      HOME: ownHome,
      TMPDIR: temporaryFolder(ownHome),
    },
    cwd: inner.cwd === home ? ownHome : inner.cwd,
  }
}

/** The folder for temporary files in the home folder of a server; it has to be there before the start. */
export const temporaryFolder = (ownHome: string): string => path.join(ownHome, 'tmp')

/** The profile, and the name of the parameter that holds each path. */
function profileOf(reach: Reach): { readonly profile: string; readonly places: ReadonlyMap<string, string> } {
  const places = new Map<string, string>()
  const param = (place: string) => {
    const name = places.get(place) ?? `PLACE_${places.size}`
    places.set(place, name)
    return `(param "${name}")`
  }
  const list = (filter: string, found: readonly string[]) => found.map((place) => `  (${filter} ${param(place)})`).join('\n')
  const ownHome = inPrivate(reach.ownHome)
  const writable = [ownHome, ...reach.write.map(inPrivate)]
  const readable = [...writable, ...reach.read.map(inPrivate)]
  // A folder within another has the later rule.
  const writing = readable
    .map((place) => ({ place, rule: writable.includes(place) ? 'allow' : 'deny' }))
    .toSorted((a, b) => above(a.place).length - above(b.place).length)
  // A program that follows a path looks at every folder and link on the way.
  const spellings = [...readable, ...reach.read, ...reach.write].flatMap((place) => [place, ...above(place)])
  const ways = [...new Set(spellings)]
  // Parley would take a link in the place of one of these for it at the next start.
  const pinned = [...new Set(readable.flatMap((place) => [place, ...above(place)]))]
  const dataFolder = inPrivate(reach.dataFolder)
  const named = readable.filter((place) => isWithin(place, dataFolder))
  const profile = [
    BASE,
    `(allow file-read-metadata\n${list('literal', ways)})`,
    `(allow file-read* file-map-executable process-exec\n${SYSTEM.map((place) => `  (subpath "${place}")`).join('\n')}`,
    `${list('subpath', readable)})`,
    ...writing.map(({ place, rule }) => `(${rule} file-write* (subpath ${param(place)}))`),
    `(deny file-write-unlink file-write-create\n${list('literal', pinned)})`,
    '(allow system-socket (socket-domain AF_UNIX))',
    `(allow network-bind (local unix-socket (subpath ${param(ownHome)})))`,
    `(allow network-outbound (remote unix-socket (subpath ${param(ownHome)})))`,
    ...networkRules(reach.network),
    `(deny file-read-data file-write* file-map-executable process-exec (require-all (subpath ${param(dataFolder)})`,
    `${named.map((place) => `  (require-not (subpath ${param(place)}))`).join('\n')}))`,
  ]
  return { profile: profile.join('\n'), places }
}

function networkRules(network: Reach['network']): readonly string[] {
  if (network === 'none') return []
  if (network === 'any') return [ANY_NETWORK]
  const { port } = new URL(network.via)
  return [`(allow network-outbound (remote ip "localhost:${Number(port)}"))`]
}

/** The path as the kernel knows it. */
function inPrivate(place: string): string {
  const normal = path.normalize(place).replace(/(?<=.)\/$/, '')
  return PRIVATE_LINKS.some((link) => normal === link || normal.startsWith(`${link}/`)) ? `/private${normal}` : normal
}

/** The folders that a path lies in, without the root. */
function above(place: string): readonly string[] {
  const folder = path.dirname(place)
  return folder === '/' || folder === '.' ? [] : [folder, ...above(folder)]
}
