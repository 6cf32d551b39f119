import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

interface Room {
  /** Rooms it may import besides itself. A trailing /* takes the rooms below, too. */
  readonly rooms?: readonly string[]
  readonly packages?: readonly string[]
  /** Node's own modules, without the prefix; '*' for any. */
  readonly node?: readonly string[]
}

const SHARED = ['src-shared/base', 'src-shared/mcp', 'src-shared/forms', 'src-shared/foreign', 'src-shared/contract']
const HOST_LIBRARIES = [
  'src-main/client',
  'src-main/transports',
  'src-main/transports/http',
  'src-main/auth',
  'src-main/models',
  'src-main/threads',
  'src-main/images',
  'src-main/documents',
  'src-main/schemas',
  'src-main/bundles',
  'src-main/consent',
  'src-main/storage',
  'src-main/storage/base',
  'src-main/protocol',
  'src-main/protocol/peer',
  'src-main/protocol/shapes',
]
const BELOW_SHELLS = [
  'src-main/host',
  'src-main/host/core',
  ...HOST_LIBRARIES,
  'src-main/bridge',
  'src-main/playground',
  'src-main/runs',
  ...SHARED,
]
const STORE = {
  packages: ['zod'],
  node: ['fs', 'fs/promises', 'path', 'os', 'crypto', 'sqlite', 'worker_threads', 'url', 'timers/promises'],
}
const CONTENT = ['src-renderer/content', 'src-renderer/content/text', 'src-renderer/content/viewers']

/** A room of the host: what it may see of its neighbours, beside the libraries below the host. */
function hostRoom(...neighbours: string[]): Room {
  const rooms = [...neighbours.map((name) => `src-main/host/${name}`), ...HOST_LIBRARIES, ...SHARED]
  return { rooms, packages: ['re2js'], node: ['crypto', 'path'] }
}

/** A feature of the page: features never import each other, only rooms of their own. */
function feature(...own: string[]): Room {
  return {
    rooms: [
      ...own.map((name) => `src-renderer/${name}`),
      'src-renderer/state',
      'src-renderer/forms',
      'src-renderer/forms/folders',
      'src-renderer/forms/models',
      ...CONTENT,
      'src-renderer/ui',
      ...SHARED,
    ],
    packages: ['react', '@tanstack/react-virtual'],
  }
}

/** The allowed imports of each room. The most specific path is a file's room; the set of rooms is closed. */
export const ROOMS: Readonly<Record<string, Room>> = {
  'src-shared/base': {},
  'src-shared/mcp': { rooms: ['src-shared/base'] },
  'src-shared/forms': { rooms: ['src-shared/base', 'src-shared/mcp'] },
  'src-shared/contract': { rooms: ['src-shared/base', 'src-shared/mcp', 'src-shared/forms'], packages: ['zod'] },
  'src-shared/foreign': { rooms: ['src-shared/base', 'src-shared/contract'] },

  'src-main/protocol/shapes': { rooms: ['src-shared/base', 'src-shared/mcp'] },
  'src-main/protocol/peer': { rooms: ['src-main/protocol/shapes', 'src-shared/base', 'src-shared/mcp'] },
  'src-main/protocol': {
    rooms: ['src-main/protocol/peer', 'src-main/protocol/shapes', 'src-shared/base', 'src-shared/mcp'],
  },
  'src-main/transports': {
    rooms: ['src-main/protocol/peer', 'src-main/protocol/shapes', 'src-shared/base'],
    packages: ['cross-spawn'],
    node: ['*'],
  },
  'src-main/transports/http': {
    rooms: ['src-main/transports', 'src-main/protocol', 'src-main/protocol/peer', 'src-main/protocol/shapes', 'src-shared/base'],
    packages: ['undici'],
    node: ['*'],
  },
  'src-main/auth': { rooms: ['src-shared/base'], packages: ['oauth4webapi', 'zod'], node: ['*'] },
  'src-main/client': {
    rooms: ['src-main/protocol', 'src-main/protocol/peer', 'src-main/protocol/shapes', 'src-shared/base', 'src-shared/mcp'],
  },
  'src-main/models': {
    rooms: ['src-shared/base', 'src-shared/mcp', 'src-shared/contract'],
    packages: ['@anthropic-ai/sdk', 'openai'],
  },
  // Threads for work whose cost strangers choose, and what runs in them.
  'src-main/threads': { rooms: ['src-shared/base'], node: ['worker_threads', 'timers/promises'] },
  'src-main/images': { rooms: ['src-main/threads', 'src-shared/base'], packages: ['@cf-wasm/photon'], node: ['fs'] },
  'src-main/documents': {
    rooms: ['src-main/threads', 'src-shared/base'],
    packages: ['pdfjs-dist'],
    node: ['fs/promises'],
  },
  'src-main/schemas': { rooms: ['src-main/threads', 'src-shared/base', 'src-shared/mcp'], packages: ['ajv', 're2js'] },
  // Unpacks bundles to the disk, in a thread, too.
  'src-main/bundles': {
    rooms: ['src-main/threads', 'src-main/storage/base', 'src-main/storage/server-file', 'src-shared/base'],
    node: ['crypto', 'fs', 'fs/promises', 'path', 'stream/promises', 'zlib'],
  },
  'src-main/storage/base': { rooms: ['src-shared/base', 'src-shared/mcp', 'src-shared/contract'], ...STORE },
  'src-main/storage/database': {
    rooms: ['src-main/storage/base', 'src-shared/base', 'src-shared/mcp', 'src-shared/contract'],
    ...STORE,
  },
  'src-main/storage/server-file': {
    rooms: ['src-main/storage/base', 'src-shared/base', 'src-shared/mcp', 'src-shared/contract'],
    ...STORE,
  },
  'src-main/storage/backups': {
    rooms: [
      ...['base', 'database'].map((name) => `src-main/storage/${name}`),
      ...['src-shared/base', 'src-shared/mcp', 'src-shared/contract'],
    ],
    ...STORE,
    node: [...STORE.node, 'stream', 'stream/promises', 'zlib'],
  },
  'src-main/storage': {
    rooms: [
      ...['base', 'backups', 'database', 'server-file'].map((name) => `src-main/storage/${name}`),
      ...['src-shared/base', 'src-shared/mcp', 'src-shared/contract'],
    ],
    ...STORE,
  },
  'src-main/playground': { rooms: ['src-main/protocol/peer', 'src-main/protocol/shapes', 'src-shared/base', 'src-shared/mcp'] },

  // Decides about calls with pure functions: no disk, no clock, no network.
  'src-main/consent/known': { rooms: SHARED, packages: ['zod'] },
  'src-main/consent': { rooms: ['src-main/consent/known', ...SHARED], packages: ['libpg-query', 'unbash'], node: ['path'] },

  // The host, from the ground up: each room sees those above it in this list that it names.
  'src-main/host/core': hostRoom(),
  'src-main/host/models': hostRoom('core'),
  // Looks whether a working folder decides what is launched.
  'src-main/host/launch': {
    rooms: [...(hostRoom('core').rooms ?? []), 'src-main/consent/known'],
    packages: ['zod'],
    node: ['crypto', 'path', 'fs/promises'],
  },
  'src-main/host/doctor': hostRoom('core', 'launch'),
  'src-main/host/connection': hostRoom('core', 'launch', 'doctor'),
  'src-main/host/servers': hostRoom('core', 'models', 'launch', 'doctor', 'connection'),
  // Reads configurations of other hosts where those keep them.
  'src-main/host/imports': {
    ...hostRoom('core', 'launch', 'servers'),
    rooms: [...(hostRoom('core', 'launch', 'servers').rooms ?? []), 'src-main/storage/server-file', 'src-main/consent/known'],
    packages: ['smol-toml', 'yaml'],
    node: ['crypto', 'path', 'fs', 'fs/promises'],
  },
  'src-main/host/client-features': hostRoom('core', 'models', 'launch', 'connection', 'servers'),
  'src-main/host/consent': {
    ...hostRoom('core', 'models', 'servers'),
    packages: ['zod'],
    node: ['crypto', 'path', 'os', 'fs/promises'],
  },
  'src-main/host/projects': hostRoom('core', 'client-features'),
  'src-main/host/offerings': hostRoom('core', 'models', 'servers'),
  // Reads the person's folder of skills, and follows it.
  'src-main/host/skills': {
    ...hostRoom('core', 'servers'),
    packages: ['yaml'],
    node: ['crypto', 'path', 'fs', 'fs/promises'],
  },
  'src-main/host/apps': hostRoom('core', 'servers', 'consent'),
  'src-main/host/conversations': hostRoom('core', 'models', 'projects', 'consent', 'servers', 'offerings', 'skills', 'apps'),
  'src-main/host/schedules': hostRoom('core', 'projects', 'servers', 'conversations'),
  'src-main/host': hostRoom(
    'core',
    'models',
    'servers',
    'imports',
    'client-features',
    'projects',
    'consent',
    'offerings',
    'skills',
    'apps',
    'conversations',
    'schedules',
  ),

  'src-main/bridge': {
    rooms: [...['host', 'host/core', 'host/client-features', 'host/conversations'].map((name) => `src-main/${name}`), ...SHARED],
    packages: ['zod'],
  },
  'src-main/runs': {
    rooms: ['host', 'host/core', 'host/servers', 'storage/base'].map((name) => `src-main/${name}`).concat(SHARED),
    packages: ['zod'],
    node: ['crypto', 'net'],
  },
  'src-main/shells': { rooms: BELOW_SHELLS, node: ['*'] },
  'src-main/shells/electron/desktop': {
    rooms: ['src-main/host', 'src-main/host/core', ...SHARED],
    packages: ['electron'],
    node: ['*'],
  },
  'src-main/shells/electron/updates': {
    rooms: ['src-main/host/core', ...SHARED],
    packages: ['electron-updater'],
    node: ['crypto'],
  },
  'src-main/shells/electron': {
    rooms: [
      ...['electron/desktop', 'electron/updates'].map((name) => `src-main/shells/${name}`),
      'src-main/shells',
      ...BELOW_SHELLS,
    ],
    packages: ['electron'],
    node: ['*'],
  },
  'src-main/shells/headless': { rooms: ['src-main/shells', ...BELOW_SHELLS], node: ['*'] },
  'src-main/shells/web': { rooms: ['src-main/shells', ...BELOW_SHELLS], packages: ['ws', 'vite'], node: ['*'] },

  'src-renderer/host': { rooms: ['src-shared/base', 'src-shared/contract'] },
  'src-renderer/state': { rooms: ['src-renderer/host', ...SHARED], packages: ['zustand', 'react'] },
  'src-renderer/ui': {
    rooms: ['src-shared/base', 'src-shared/contract'],
    packages: [
      'react',
      'react-dom',
      '@tanstack/react-virtual',
      '@fontsource-variable/inter',
      '@fontsource-variable/jetbrains-mono',
    ],
  },
  // Documents of their own in frames; of the page's rooms only what the two tell each other is seen.
  'src-renderer/frames': { rooms: ['src-shared/base'] },
  'src-renderer/pdf': { rooms: ['src-renderer/frames', 'src-shared/base'], packages: ['pdfjs-dist'] },
  'src-renderer/diagram': { rooms: ['src-renderer/frames'], packages: ['mermaid'] },
  'src-renderer/preview': { rooms: ['src-renderer/frames'] },
  'src-renderer/content/isolation': {
    rooms: ['src-renderer/frames', 'src-renderer/diagram', 'src-renderer/state', 'src-renderer/ui', ...SHARED],
    packages: ['react', 'shiki', '@shikijs/langs', '@shikijs/themes'],
  },
  'src-renderer/content/maths': {
    rooms: ['src-renderer/content/isolation', 'src-renderer/ui', ...SHARED],
    packages: ['react', 'katex', '@fontsource/stix-two-math'],
  },
  'src-renderer/content/text': {
    rooms: ['src-renderer/content/isolation', 'src-renderer/content/maths', 'src-renderer/state', 'src-renderer/ui', ...SHARED],
    packages: ['react', 'react-markdown', 'remark-gfm'],
  },
  'src-renderer/content/viewers': {
    rooms: [
      'src-renderer/content/isolation',
      'src-renderer/content/text',
      'src-renderer/frames',
      'src-renderer/pdf',
      'src-renderer/state',
      'src-renderer/ui',
      ...SHARED,
    ],
    packages: ['react'],
  },
  'src-renderer/content': {
    rooms: ['src-renderer/content/text', 'src-renderer/content/viewers', 'src-renderer/state', 'src-renderer/ui', ...SHARED],
    packages: ['react'],
  },
  'src-renderer/forms': {
    rooms: ['src-renderer/state', 'src-renderer/ui', ...SHARED],
    packages: ['react', 're2js'],
  },
  'src-renderer/forms/models': {
    rooms: ['src-renderer/forms', 'src-renderer/state', 'src-renderer/ui', ...SHARED],
    packages: ['react'],
  },
  'src-renderer/offers': feature(),
  'src-renderer/find': feature(),
  'src-renderer/powers': feature(),
  'src-renderer/skills': feature(),
  // A view is watched by the same pulse as our own frames.
  // A frame in a shadow tree is drawn by a portal.
  'src-renderer/apps': { ...feature('content/isolation'), packages: ['react', 'react-dom'] },
  'src-renderer/conversation/composer': feature('conversation/attachments', 'offers'),
  'src-renderer/forms/folders': {
    rooms: ['src-renderer/forms', 'src-renderer/state', 'src-renderer/ui', ...SHARED],
    packages: ['react'],
  },
  'src-renderer/conversation/list': feature(),
  'src-renderer/conversation/attachments': feature(),
  'src-renderer/conversation/calls': feature('apps'),
  'src-renderer/conversation/messages': feature('conversation/attachments', 'conversation/calls', 'find', 'powers'),
  'src-renderer/conversation': feature(
    'conversation/attachments',
    'conversation/composer',
    'conversation/list',
    'conversation/messages',
    'skills',
  ),
  'src-renderer/interactions/frame': feature(),
  'src-renderer/interactions/sampling': feature('interactions/frame'),
  'src-renderer/interactions/consent': feature('interactions/frame'),
  'src-renderer/interactions': feature('interactions/consent', 'interactions/frame', 'interactions/sampling', 'powers'),
  'src-renderer/servers/labels': feature(),
  'src-renderer/servers/editor': feature('servers/labels'),
  'src-renderer/servers/catalogs': feature('servers/labels', 'powers'),
  'src-renderer/servers/log': feature('servers/labels'),
  'src-renderer/servers/doctor': feature('servers/labels', 'servers/editor'),
  'src-renderer/servers/overview': feature('servers/labels', 'servers/editor', 'servers/doctor', 'powers'),
  'src-renderer/servers/imports': feature('servers/labels', 'servers/overview'),
  'src-renderer/servers': feature(
    'powers',
    ...['labels', 'editor', 'doctor', 'catalogs', 'imports', 'log', 'overview'].map((name) => `servers/${name}`),
  ),
  'src-renderer/pickers': feature('offers'),
  'src-renderer/settings/consent': feature(),
  'src-renderer/settings/models': feature(),
  'src-renderer/settings/data': feature(),
  'src-renderer/settings/network': feature(),
  'src-renderer/settings/schedules': feature(),
  'src-renderer/settings': feature(
    ...['consent', 'models', 'data', 'network', 'schedules'].map((name) => `settings/${name}`),
    'skills',
  ),
  'src-renderer/projects': feature('conversation/attachments', 'conversation/composer', 'skills'),
  'src-renderer/welcome': feature(),
  // It gathers docs/guide and its pictures by import.meta.glob, too.
  'src-renderer/help': feature(),
  'src-renderer': {
    rooms: [
      ...[
        'state',
        'ui',
        'host',
        'find',
        'conversation',
        'conversation/attachments',
        'conversation/list',
        'interactions',
        'servers',
        'servers/imports',
        'pickers',
        'settings',
        'projects',
        'welcome',
        'help',
      ].map((name) => `src-renderer/${name}`),
      ...CONTENT,
      ...SHARED,
    ],
    packages: ['react', 'react-dom'],
  },
}

/** Single files that may reach further than their room, and why. */
const EXCEPTIONS: Readonly<Record<string, Room>> = {
  // The security page of the documentation is read in the app, word for word.
  'src-renderer/settings/SecuritySection.tsx': { rooms: ['docs/security.md?raw'] },
  // Roots are folders of this machine: they are checked against the file system itself.
  'src-main/host/client-features/roots.ts': { node: ['fs/promises', 'fs', 'path', 'url', 'os'] },
}

/** The table of the page's requests is for those who ask and answer; records have files of their own. */
const PAGE_REQUESTS = 'src-shared/contract/requests.ts'
const PAGE_ROOMS = /^src-(?:renderer|main\/(?:bridge|host))\//

const names = Object.keys(ROOMS).sort((a, b) => b.length - a.length)
const roomOf = (file: string) => names.find((room) => file.startsWith(`${room}/`))
const IMPORT = /(?:^|[\s;])(?:import|export)\s[^'"]*?from\s*['"]([^'"]+)['"]|(?:^|[\s;(=])import\s*\(?\s*['"]([^'"]+)['"]/gm
const PRODUCT = ['src-shared', 'src-main', 'src-renderer']

/** Every file of TypeScript below the tops that is none of tests or declarations, with its text. */
export function sources(root: string, tops: readonly string[] = PRODUCT, kinds = /\.tsx?$/): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  for (const top of tops) {
    for (const path of readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })) {
      if (!kinds.test(path) || /\.(?:test|spec)\.tsx?$|\.d\.ts$/.test(path)) continue
      const file = join(top, path).replaceAll('\\', '/')
      files.set(file, readFileSync(join(root, file), 'utf8'))
    }
  }
  return files
}

/** Every import of a product file that its room does not allow, in plain words. */
export function violations(root: string): string[] {
  return [...sources(root)].flatMap(([file, text]) => violationsOf(file, text))
}

/** The same for one file, given its text. */
export function violationsOf(file: string, text: string): string[] {
  const room = roomOf(file)
  if (!room) return [`${file} is in no room: a new room needs a decision record`]
  const rule = ROOMS[room] as Room
  const extra = EXCEPTIONS[file]
  const allows = (kind: keyof Room, name: string) => rule[kind]?.includes(name) || extra?.[kind]?.includes(name)
  const found: string[] = []
  for (const from of importsOf(text)) {
    if (from.startsWith('.')) {
      const path = pathOf(file, from)
      const target = roomOf(path)
      if (path === PAGE_REQUESTS && !PAGE_ROOMS.test(file)) found.push(`${file} → ${path}: for the page and who answers it`)
      if (target !== room && !allows('rooms', target ?? path)) found.push(`${file} → ${target ?? path}: not allowed in ${room}`)
    } else if (from.startsWith('node:')) {
      const name = from.slice('node:'.length)
      if (!allows('node', name) && !allows('node', '*')) found.push(`${file} → ${from}: not allowed in ${room}`)
    } else {
      const name = from.split('/', from.startsWith('@') ? 2 : 1).join('/')
      if (!allows('packages', name)) found.push(`${file} → ${name}: package not allowed in ${room}`)
    }
  }
  return found
}

/** Circles of imports, types included, among files and then among their folders: each as the way round. */
export function circles(files: ReadonlyMap<string, string>): string[] {
  const folders = new Map<string, Set<string>>()
  for (const [file, targets] of arrowsOf(files)) {
    const folder = folders.get(dirname(file)) ?? new Set()
    for (const target of targets) if (dirname(target) !== dirname(file)) folder.add(dirname(target))
    folders.set(dirname(file), folder)
  }
  return [...circlesOfFiles(files), ...circlesIn(folders)]
}

function circlesOfFiles(files: ReadonlyMap<string, string>): string[] {
  return circlesIn(arrowsOf(files))
}

function arrowsOf(files: ReadonlyMap<string, string>): ReadonlyMap<string, ReadonlySet<string>> {
  const relativeOf = (file: string, text: string) =>
    importsOf(text)
      .filter((from) => from.startsWith('.'))
      .map((from) => pathOf(file, from))
  return new Map([...files].map(([file, text]) => [file, new Set(relativeOf(file, text).filter((path) => files.has(path)))]))
}

function importsOf(text: string): string[] {
  return [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? '')
}

function pathOf(file: string, from: string): string {
  return relative('/', join('/', dirname(file), from)).replaceAll('\\', '/')
}

/** Depth first: an arrow back to a node of the present path closes a circle. */
function circlesIn(arrows: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const found: string[] = []
  const done = new Set<string>()
  const path: string[] = []
  const visit = (node: string) => {
    const at = path.indexOf(node)
    if (at >= 0) found.push([...path.slice(at), node].join(' → '))
    if (at >= 0 || done.has(node)) return
    path.push(node)
    for (const next of arrows.get(node) ?? []) visit(next)
    path.pop()
    done.add(node)
  }
  for (const node of arrows.keys()) visit(node)
  return found
}
