// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what hosts write for a value from elsewhere
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { ServerHost, temporaryFolder } from '../../../e2e/test-hosts/server-host.ts'
import type { ImportReviewId, ServerId } from '../../../src-shared/contract/ids.ts'
import { OTHER_HOSTS, type OtherHost } from '../../../src-shared/contract/imports.ts'
import { LOAD_TIME } from '../../threads/bounded-thread.ts'

const TOKEN = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'

/** A host on a Linux machine whose person has these files, by their paths from home. */
async function personWith(files: Readonly<Record<string, string>>, environment: NodeJS.ProcessEnv = {}) {
  const home = await temporaryFolder()
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(home, path)), { recursive: true })
    await writeFile(join(home, path), text)
  }
  const parley = await ServerHost.open({
    platform: { os: 'linux' },
    environment: { HOME: home, PATH: process.env.PATH, ...environment },
  })
  return { parley, home, imports: parley.host.imports }
}

const CLAUDE = '.config/Claude/claude_desktop_config.json'
const GITHUB = {
  command: 'docker',
  args: ['run', '-i', 'ghcr.io/github/github-mcp-server'],
  env: { GITHUB_TOKEN: TOKEN, HOST: 'x' },
}

describe('servers of Claude Desktop', () => {
  it('are found, reviewed and added in one write, their secrets in the secret store alone', async () => {
    const servers = { github: GITHUB, 'no command': {} }
    const { parley, home, imports } = await personWith({ [CLAUDE]: JSON.stringify({ mcpServers: servers }) })
    const { found } = await imports.look()
    expect(found).toEqual([{ host: 'claude-desktop', path: join(home, CLAUDE), servers: 1 }])
    const review = await imports.review({ found: found.map(({ path }) => path) })
    expect(review.unusable).toEqual([
      { called: 'no command', path: join(home, CLAUDE), why: 'It has neither “command” nor “url”.' },
    ])
    expect(review.servers).toMatchObject([
      { name: 'github', here: { is: 'new' }, secrets: ['GITHUB_TOKEN'], launch: { env: { HOST: { text: 'x' } } } },
    ])
    expect(JSON.stringify(review)).not.toContain(TOKEN)
    const [server] = review.servers
    const choice = { key: server?.key ?? '', name: 'github', inputs: {}, enabled: false }
    expect(await imports.add(review.id, [choice])).toEqual({ serverIds: ['github'] })
    expect(await parley.file()).not.toContain(TOKEN)
    const entry = JSON.parse(await parley.file()).mcpServers.github
    expect(entry).toMatchObject({ command: 'docker', env: { HOST: 'x' } })
    const secret = /^\$\{secret:(.+)\}$/.exec(entry.env.GITHUB_TOKEN)?.[1] ?? ''
    expect(await parley.storage.secrets.get(secret)).toBe(TOKEN)
    const again = await imports.review({ found: found.map(({ path }) => path) })
    expect(again.servers).toMatchObject([{ name: 'github 2', here: { is: 'same', as: 'github' } }])
  })

  it('are new once when two hosts have the same configuration; another key makes another server', async () => {
    const other = { ...GITHUB, env: { ...GITHUB.env, GITHUB_TOKEN: TOKEN.replace('ghp_0', 'ghp_1') } }
    const { imports } = await personWith({
      [CLAUDE]: JSON.stringify({ mcpServers: { github: GITHUB } }),
      '.cursor/mcp.json': JSON.stringify({ mcpServers: { gh: GITHUB, work: other } }),
    })
    const { servers } = await imports.review({ found: (await imports.look()).found.map(({ path }) => path) })
    expect(Object.fromEntries(servers.map(({ called, here }) => [called, here]))).toEqual({
      github: { is: 'new' },
      gh: { is: 'repeated', as: 'github' },
      work: { is: 'new' },
    })
  })

  it('are added together or not at all when a required value is missing', async () => {
    const servers = { a: { command: 'x' }, b: { command: 'x', env: { API_KEY: '<YOUR_KEY>' } } }
    const { parley, home, imports } = await personWith({ [CLAUDE]: JSON.stringify({ mcpServers: servers }) })
    const review = await imports.review({ found: [join(home, CLAUDE)] })
    const choices = review.servers.map(({ key, name }) => ({ key, name, inputs: {}, enabled: false }))
    await expect(imports.add(review.id, choices)).rejects.toThrow('“b” needs “API_KEY”.')
    await expect(imports.add(review.id, [...choices.slice(0, 1), { ...choices[0]!, key: '7' }])).rejects.toThrow(
      'not in what was read',
    )
    expect(parley.storage.serverFile.current().entries).toEqual([])
    const [id = ''] = review.servers[1]?.inputs.map((input) => input.id) ?? []
    const given = choices.map((choice) => ({ ...choice, inputs: { [id]: 'given-1234' } }))
    expect(await imports.add(review.id, given)).toEqual({ serverIds: ['a', 'b'] })
    expect(await parley.file()).not.toContain('given-1234')
    await expect(imports.add('other' as ImportReviewId, given)).rejects.toThrow('review has expired')
  })
})

describe('access to the environment', () => {
  const servers = { a: { command: 'x', args: ['${HOME}'], env: { VALUE: '${CITY}' } } }
  const text = JSON.stringify({ mcpServers: servers })

  it('follows a host’s own rules for its own servers', async () => {
    const { home, imports } = await personWith({ '.claude.json': text }, { CITY: 'Oslo' })
    const { servers } = await imports.review({ found: [join(home, '.claude.json')] })
    expect(servers).toMatchObject([
      { inputs: [], secrets: ['VALUE'], launch: { args: [home], env: { VALUE: { secret: 'import:VALUE' } } } },
    ])
  })

  it('is denied to a project and a pasted text: a person is asked', async () => {
    const { home, imports } = await personWith({ 'shop/.mcp.json': text }, { CITY: 'Oslo' })
    for (const from of [{ folder: join(home, 'shop') }, { text }]) {
      const review = await imports.review(from)
      expect(review.servers).toMatchObject([{ inputs: [{ label: 'CITY', secret: false }], launch: { args: [home] } }])
      expect(JSON.stringify(review)).not.toContain('Oslo')
    }
  })
})

describe('the servers of a project', () => {
  it('are those of every host that has some there, started in its folder', async () => {
    const { home, imports } = await personWith({
      'shop/.mcp.json': '{"mcpServers":{"a":{"command":"./run"}}}',
      'shop/.vscode/mcp.json': '{"servers":{"b":{"command":"x","cwd":"${workspaceFolder}/src"}}} // of VS Code',
      'shop/.codex/config.toml': '[mcp_servers.c]\ncommand = "x"\ncwd = "tools"\n',
      'shop/.gemini/settings.json': '{',
      'shop/.env': 'SECRET=1',
    })
    const shop = join(home, 'shop')
    const { servers, unusable } = await imports.review({ folder: shop })
    expect(servers.map(({ name, from, launch }) => [name, from.host, launch.type === 'local' && launch.cwd])).toEqual([
      ['a', 'project', shop],
      ['b', 'vscode', join(shop, 'src')],
      ['c', 'codex', join(shop, 'tools')],
    ])
    expect(unusable).toMatchObject([{ path: join(shop, '.gemini/settings.json'), why: expect.stringContaining('line 1') }])
    await expect(imports.review({ folder: 'shop' })).rejects.toThrow('full path')
    await expect(imports.review({ folder: home })).rejects.toThrow('It has no servers.')
  })
})

describe('a reviewed configuration', () => {
  it('cannot be chosen by the page by its path', async () => {
    const { home, imports } = await personWith({ 'other.json': '{"mcpServers":{"a":{"command":"x"}}}' })
    await expect(imports.review({ found: [join(home, 'other.json')] })).rejects.toThrow('No known app keeps its servers at')
    await expect(imports.review({ found: [join(home, '.cursor/../other.json')] })).rejects.toThrow(
      'No known app keeps its servers at',
    )
  })

  it('is reported when it cannot be read, and the others are read', async () => {
    const { home, imports } = await personWith({
      '.cursor/mcp.json': '{',
      '.lmstudio/mcp.json': '{"mcpServers":{"a":{"command":"x"}}}',
    })
    await mkdir(join(home, '.claude.json'))
    expect((await imports.look()).found).toEqual([
      { host: 'claude-code', path: join(home, '.claude.json'), servers: 0, problem: 'It is a folder, not a file.' },
      { host: 'cursor', path: join(home, '.cursor/mcp.json'), servers: 0, problem: expect.stringContaining('line 1, column 2') },
      { host: 'lm-studio', path: join(home, '.lmstudio/mcp.json'), servers: 1 },
    ])
    const review = await imports.review({ found: [join(home, '.cursor/mcp.json'), join(home, '.lmstudio/mcp.json')] })
    expect([review.servers.length, review.unusable.length]).toEqual([1, 1])
  })

  it('is forgotten after half an hour, and the oldest when there are many', async () => {
    const clock = new ManualClock()
    const parley = await ServerHost.open({ clock })
    const one = () => parley.host.imports.review({ text: '{"mcpServers":{"a":{"command":"x"}}}' })
    const add = ({ id }: { id: ImportReviewId }) =>
      parley.host.imports.add(id, [{ key: '0', name: 'a', inputs: {}, enabled: false }])
    const old = await one()
    clock.advance(30 * 60_000)
    await expect(add(old)).rejects.toThrow('review has expired')
    const first = await one()
    for (let n = 0; n < 8; n += 1) await one()
    await expect(add(first)).rejects.toThrow('review has expired')
    expect(await add(await one())).toEqual({ serverIds: ['a'] })
  })

  it('does not block the host while it is read, and is given up when that takes too long', async () => {
    const clock = new ManualClock()
    const parley = await ServerHost.open({ clock })
    const keys = Array.from({ length: 10_000 }, (_, n) => `k${n}: 1`).join('\n')
    const review = parley.host.imports.review({ text: keys })
    clock.advance(LOAD_TIME)
    expect((await review).unusable).toEqual([{ called: 'What you pasted', why: 'It takes too long to read.' }])
    // The next one gets a thread of its own.
    expect((await parley.host.imports.review({ text: '{"a":{"command":"x"}}' })).servers).toMatchObject([{ name: 'a' }])
  })
})

describe('servers for another host', () => {
  it('are written without their secrets', async () => {
    const { parley, imports } = await personWith({})
    const env = { GITHUB_TOKEN: { text: TOKEN }, CITY: { text: 'Oslo' } }
    await parley.host.servers.edits.add({
      name: 'github',
      launch: { type: 'local', command: 'x', args: [], env },
      options: { enabled: false },
    })
    for (const host of Object.keys(OTHER_HOSTS) as OtherHost[]) {
      const exported = await imports.export(host, ['github' as ServerId])
      expect(exported.text, host).toContain('GITHUB_TOKEN')
      expect(exported.text, host).toContain('Oslo')
      expect(JSON.stringify(exported), host).not.toContain(TOKEN)
      expect(JSON.stringify(exported), host).not.toContain('server-local-')
    }
    const { text, path } = await imports.export('vscode', ['github' as ServerId])
    expect(JSON.parse(text)).toMatchObject({
      inputs: [{ id: 'GITHUB_TOKEN', type: 'promptString', password: true }],
      servers: { github: { env: { GITHUB_TOKEN: '${input:GITHUB_TOKEN}' } } },
    })
    expect(path).toMatch(/\/Code\/User\/mcp\.json$/)
    expect((await imports.export('claude-desktop', ['github' as ServerId])).notes).toEqual([
      'Fill in these values in the text: GITHUB_TOKEN.',
      '“github” is turned off here. Claude Desktop will start it.',
    ])
  })

  it('are written without secrets in their arguments and addresses, and say so', async () => {
    const { parley, imports } = await personWith({})
    const args = ['serve', '--api-key=abcd1234', '--token', 'efgh5678']
    await parley.host.servers.edits.add({ name: 'local', launch: { type: 'local', command: 'x', args, env: {} } })
    const url = 'https://mcp.example/?token=ijkl9012'
    await parley.host.servers.edits.add({ name: 'far', launch: { type: 'remote', url, headers: {} } })
    for (const host of Object.keys(OTHER_HOSTS) as OtherHost[]) {
      const { text, notes } = await imports.export(host, ['local' as ServerId, 'far' as ServerId])
      expect(text, host).not.toMatch(/abcd1234|efgh5678|ijkl9012/)
      expect(text, host).toContain('serve')
      expect(notes, host).toContain('“local” has a secret in its arguments, which is left out: fill it in.')
      expect(notes, host).toContain('“far” has a secret in its address, which is left out: fill it in.')
    }
  })
})
