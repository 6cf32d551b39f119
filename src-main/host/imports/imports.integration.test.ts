import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ServerHost, temporaryFolder } from '../../../e2e/support/server-host.ts'

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
})
