import { expect, it } from 'vitest'
import { BundleError } from './bundle-error.ts'
import { readManifest } from './manifest.ts'

const MANIFEST = {
  manifest_version: '0.3',
  name: 'notes',
  version: '1.2.0',
  description: 'Reads notes',
  author: { name: 'Ann' },
  server: { type: 'node', entry_point: 'server/index.js', mcp_config: { command: 'node', args: ['x'], env: { A: '1', B: '2' } } },
}

const read = (changes: object, os = 'linux') => readManifest(JSON.stringify({ ...MANIFEST, ...changes }), os)

function refusal(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof BundleError) return error.message
    throw error
  }
  return 'read'
}

it('a manifest is read with unknown keys, and by its old name for the version (MCPB-8)', () => {
  expect(read({ other: { deep: [1] } })).toMatchObject({
    name: 'notes',
    title: 'notes',
    author: 'Ann',
    command: 'node',
    args: ['x'],
  })
  expect(read({ manifest_version: undefined, dxt_version: '0.1' }).version).toBe('1.2.0')
  for (const known of ['0.1', '0.2', '0.3', '0.4']) expect(read({ manifest_version: known }).version).toBe('1.2.0')
  expect(read({ display_name: 'My\n notes' }).title).toBe('My notes')
})

it.each<[string, object, RegExp]>([
  ['a newer format', { manifest_version: '0.5' }, /format is “0.5”/],
  ['no version', { version: undefined }, /no usable “version”/],
  ['no author', { author: 'Ann' }, /no usable “author”/],
  ['an unknown type', { server: { type: 'docker' } }, /“docker”/],
  ['no command', { server: { type: 'node', mcp_config: {} } }, /mcp_config.command/],
  ['a zero character', { server: { ...MANIFEST.server, mcp_config: { command: 'node', args: ['a\0b'] } } }, /argument 1/],
  ['a setting of another kind', { user_config: { a: { type: 'object' } } }, /“a”/],
])('a manifest with %s is refused with the reason (MCPB-8, MCPB-9)', (_called, changes, why) => {
  expect(refusal(() => read(changes))).toMatch(why)
})

it('a key that occurs twice is refused at any depth (MCPB-8)', () => {
  const twice = JSON.stringify(MANIFEST).replace('"A":"1"', '"A":"1","A":"3"')
  expect(refusal(() => readManifest(twice, 'linux'))).toMatch(/“A” twice/)
  expect(refusal(() => readManifest('[]', 'linux'))).toMatch(/not an object/)
  expect(refusal(() => readManifest('{"a":', 'linux'))).toMatch(/cannot be read: line 1/)
})

it('the launch of a system replaces the command and adds to the variables (MCPB-10)', () => {
  const server = structuredClone(MANIFEST.server) as typeof MANIFEST.server & { mcp_config: { platform_overrides?: object } }
  server.mcp_config.platform_overrides = { win32: { command: 'node.exe', env: { B: '3' } } }
  expect(read({ server }, 'win32')).toMatchObject({
    command: 'node.exe',
    args: ['x'],
    env: { A: '1', B: '3' },
    overridden: ['command', 'env'],
  })
  expect(read({ server })).toMatchObject({ command: 'node', env: { A: '1', B: '2' }, overridden: [] })
})

it('settings become fields with their limits, and several defaults one per line (MCPB-13)', () => {
  const { fields } = read({
    user_config: {
      dirs: { type: 'directory', title: 'Folders', multiple: true, required: true, default: ['/a', '/b'] },
      count: { type: 'number', title: 'Count', min: 1, max: 9, default: 3 },
      key: { type: 'string', title: 'Key', sensitive: true },
    },
  })
  expect(fields.dirs).toEqual({
    type: 'directory',
    title: 'Folders',
    required: true,
    several: true,
    sensitive: false,
    default: '/a\n/b',
  })
  expect(fields.count).toMatchObject({ least: 1, most: 9, default: '3', several: false, required: false })
  expect(fields.key).toMatchObject({ sensitive: true })
})
