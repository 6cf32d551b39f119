import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

interface Room {
  /** Rooms it may import besides itself. A trailing /* takes the rooms below, too. */
  readonly rooms?: readonly string[]
  readonly packages?: readonly string[]
  /** Node's own modules, without the prefix; '*' for any. */
  readonly node?: readonly string[]
}

const FEATURE: Room = {
  rooms: [
    'src-renderer/state',
    'src-renderer/forms',
    'src-renderer/content',
    'src-renderer/ui',
    'src-shared/base',
    'src-shared/mcp',
    'src-shared/contract',
    'src-shared/forms',
  ],
  packages: ['react', '@tanstack/react-virtual'],
}

const HOST_ROOMS = [
  'src-main/host',
  'src-main/client',
  'src-main/transports',
  'src-main/auth',
  'src-main/models',
  'src-main/images',
  'src-main/storage',
  'src-main/protocol',
]
const SHARED = ['src-shared/base', 'src-shared/mcp', 'src-shared/forms', 'src-shared/contract']

/** Who may import whom: the house rules as data. The most specific path is a file's room; the set of rooms is closed. */
export const ROOMS: Readonly<Record<string, Room>> = {
  'src-shared/base': {},
  'src-shared/mcp': { rooms: ['src-shared/base'] },
  'src-shared/forms': { rooms: ['src-shared/base', 'src-shared/mcp'] },
  'src-shared/contract': { rooms: ['src-shared/base', 'src-shared/mcp', 'src-shared/forms'] },

  'src-main/protocol': { rooms: ['src-shared/base', 'src-shared/mcp'] },
  'src-main/transports': {
    rooms: ['src-main/protocol', 'src-shared/base'],
    packages: ['undici', 'cross-spawn'],
    node: ['*'],
  },
  'src-main/auth': { rooms: ['src-shared/base'], packages: ['oauth4webapi', 'zod'], node: ['*'] },
  'src-main/client': { rooms: ['src-main/protocol', 'src-shared/base', 'src-shared/mcp'], packages: ['ajv', 're2js'] },
  'src-main/models': {
    rooms: ['src-shared/base', 'src-shared/mcp', 'src-shared/contract'],
    packages: ['@anthropic-ai/sdk', 'openai'],
  },
  'src-main/images': {
    rooms: ['src-shared/base'],
    packages: ['@cf-wasm/photon'],
    node: ['fs', 'worker_threads'],
  },
  'src-main/storage': {
    rooms: ['src-shared/base', 'src-shared/mcp', 'src-shared/contract'],
    packages: ['zod'],
    node: ['fs', 'fs/promises', 'path', 'os', 'crypto', 'sqlite', 'worker_threads', 'url'],
  },
  'src-main/playground': { rooms: ['src-main/protocol', 'src-shared/base', 'src-shared/mcp'] },
  'src-main/host': { rooms: [...HOST_ROOMS, ...SHARED], packages: ['re2js'], node: ['crypto', 'path'] },
  'src-main/bridge': { rooms: ['src-main/host', ...SHARED], packages: ['zod'] },
  'src-main/shells': { rooms: [...HOST_ROOMS, 'src-main/bridge', 'src-main/playground', ...SHARED], node: ['*'] },
  'src-main/shells/electron': {
    rooms: [...HOST_ROOMS, 'src-main/shells', 'src-main/bridge', 'src-main/playground', ...SHARED],
    packages: ['electron'],
    node: ['*'],
  },
  'src-main/shells/web': {
    rooms: [...HOST_ROOMS, 'src-main/shells', 'src-main/bridge', 'src-main/playground', ...SHARED],
    packages: ['ws', 'vite'],
    node: ['*'],
  },

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
  // A document of its own in a frame; of the page's rooms only what the two tell each other is seen.
  'src-renderer/pdf': { rooms: ['src-shared/base'], packages: ['pdfjs-dist'] },
  'src-renderer/content': {
    rooms: ['src-renderer/pdf', 'src-renderer/state', 'src-renderer/ui', ...SHARED],
    packages: ['react', 'react-markdown', 'remark-gfm', 'shiki', '@shikijs/langs', '@shikijs/themes'],
  },
  'src-renderer/forms': {
    rooms: ['src-renderer/ui', 'src-shared/base', 'src-shared/mcp', 'src-shared/forms', 'src-shared/contract'],
    packages: ['react', 're2js'],
  },
  'src-renderer/conversation': FEATURE,
  'src-renderer/interactions': FEATURE,
  'src-renderer/servers': FEATURE,
  'src-renderer/pickers': FEATURE,
  'src-renderer/settings': FEATURE,
  'src-renderer/welcome': FEATURE,
  'src-renderer': {
    rooms: [
      ...['state', 'ui', 'content', 'host', 'conversation', 'interactions', 'servers', 'pickers', 'settings', 'welcome'].map(
        (name) => `src-renderer/${name}`,
      ),
      ...SHARED,
    ],
    packages: ['react', 'react-dom'],
  },
}

/** Single files that may reach further than their room, and why. */
const EXCEPTIONS: Readonly<Record<string, Room>> = {
  // What the documentation says about security is read in the app, word for word.
  'src-renderer/settings/SecuritySection.tsx': { rooms: ['docs/security.md?raw'] },
  // Roots are folders of this machine: they are checked against the file system itself (ruling 24).
  'src-main/host/roots.ts': { node: ['fs/promises', 'fs', 'path', 'url', 'os'] },
}

const names = Object.keys(ROOMS).sort((a, b) => b.length - a.length)
const roomOf = (file: string) => names.find((room) => file.startsWith(`${room}/`))
const IMPORT = /(?:^|[\s;])(?:import|export)\s[^'"]*?from\s*['"]([^'"]+)['"]|(?:^|[\s;(=])import\s*\(?\s*['"]([^'"]+)['"]/gm

/** Every import of a product file that its room does not allow, in plain words. */
export function violations(root: string): string[] {
  const found: string[] = []
  for (const top of ['src-shared', 'src-main', 'src-renderer']) {
    for (const path of readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })) {
      if (!/\.tsx?$/.test(path) || /\.test\.tsx?$|\.d\.ts$/.test(path)) continue
      const file = join(top, path).replaceAll('\\', '/')
      found.push(...violationsOf(file, readFileSync(join(root, file), 'utf8')))
    }
  }
  return found
}

/** The same for one file, given its text. */
export function violationsOf(file: string, text: string): string[] {
  const room = roomOf(file)
  if (!room) return [`${file} is in no room: a new room needs a decision record`]
  const rule = ROOMS[room] as Room
  const extra = EXCEPTIONS[file]
  const allows = (kind: keyof Room, name: string) => rule[kind]?.includes(name) || extra?.[kind]?.includes(name)
  const found: string[] = []
  for (const match of text.matchAll(IMPORT)) {
    const from = match[1] ?? match[2] ?? ''
    if (from.startsWith('.')) {
      const path = relative('/', join('/', dirname(file), from)).replaceAll('\\', '/')
      const target = roomOf(path)
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
