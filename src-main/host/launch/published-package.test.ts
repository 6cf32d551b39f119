import { describe, expect, it } from 'vitest'
import { downloadOf, publishedAddress, publishedPackage } from './published-package.ts'

const published = (line: string) => {
  const [command = '', ...args] = line.split(' ')
  return publishedPackage(command, args)
}
const FILES = '@modelcontextprotocol/server-filesystem'

describe('the published package of a launch', () => {
  it.each([
    ['npx -y pkg@1.2.3', 'pkg'],
    ['npx pkg', 'pkg'],
    ['npx pkg@latest --registry https://example.com', 'pkg'],
    ['npx pkg@^1.2 /folder', 'pkg'],
    ['npx -y pkg -- --port 3', 'pkg'],
    ['npx -y -- pkg --port 3', 'pkg'],
    [`npx --yes ${FILES}@2026.8.31 /folder`, FILES],
    [`npx -y --package=${FILES} mcp-server-filesystem /folder`, FILES],
    [`npx -p ${FILES}@1.2.3 -- server-filesystem`, FILES],
    ['npx -p @playwright/mcp playwright-mcp', '@playwright/mcp'],
    ['cmd /c npx -y pkg', 'pkg'],
    ['npm exec -y pkg@1.2.3', 'pkg'],
    ['npm x -- pkg --registry https://example.com', 'pkg'],
    ['pnpm dlx pkg', 'pkg'],
    ['pnpx pkg', 'pkg'],
    ['yarn dlx -q pkg', 'pkg'],
    ['bunx --bun pkg', 'pkg'],
    ['bun x pkg', 'pkg'],
    [`node /usr/lib/node_modules/${FILES}/dist/index.js /folder`, FILES],
    ['node node_modules/pkg/dist/index.js', 'pkg'],
    ['node /a/node_modules/.pnpm/pkg@1.2.3/node_modules/pkg/index.js', 'pkg'],
    ['node /a/node_modules/outer/node_modules/inner/index.js', 'inner'],
    [`node.exe C:\\a\\node_modules\\@scope\\pkg\\index.js`, '@scope/pkg'],
  ])('of %s is %s on npm', (line, name) => {
    expect(published(line)).toBe(name)
  })

  it.each([
    ['uvx mcp-server-git', 'pypi:mcp-server-git'],
    ['uvx mcp-server-git@latest --repository /folder', 'pypi:mcp-server-git'],
    ['uvx MCP_Server.Git==2026.1.2', 'pypi:mcp-server-git'],
    ['uvx --python 3.12 mcp-server-git>=1,<2', 'pypi:mcp-server-git'],
    ['uvx --from mcp-server-git mcp-server-git', 'pypi:mcp-server-git'],
    ['uvx --from=server-git[extra]==1.0 mcp-server-git', 'pypi:server-git'],
    ['uv tool run mcp-server-git', 'pypi:mcp-server-git'],
    ['pipx run mcp-server-git', 'pypi:mcp-server-git'],
    [
      'docker run -i --rm -e GITHUB_PERSONAL_ACCESS_TOKEN ghcr.io/github/github-mcp-server',
      'docker:ghcr.io/github/github-mcp-server',
    ],
    [`docker run -i --env=API_KEY=1 mcp/fetch:latest@sha256:${'a'.repeat(64)} --flag`, 'docker:mcp/fetch'],
  ])('of %s is %s, and never mistaken for a name on npm', (line, name) => {
    expect(published(line)).toBe(name)
  })

  it.each([
    ...[
      'npx',
      'npx -y',
      '/opt/server --stdio',
      'mcp-server-filesystem',
      'python -m mcp_server_git',
      'npm start',
      'uv run server.py',
    ],
    ...['npm install pkg', 'node', 'node server.js', 'deno run npm:pkg', 'docker ps'],
  ])('of %s is no package by name', (line) => {
    expect(published(line)).toBeUndefined()
  })

  it.each([
    ...[
      'npx ./pkg',
      'npx ../pkg',
      'npx /folder/pkg',
      'npx ~/pkg',
      'npx C:\\pkg',
      'npx pkg.tgz',
      'npx pkg@file:../pkg',
      'npx pkg@./pkg',
    ],
    ...[
      'npx pkg@pkg.tgz',
      'uvx ./pkg',
      'uvx server.py',
      'uvx pkg.whl',
      'uvx --from . mcp-server-git',
      './npx -y pkg',
      '/usr/local/bin/npx -y pkg',
      'C:\\nodejs\\npx.cmd -y pkg',
      'tools/npx -y pkg',
    ],
    ...[
      'node node_modules/pkg/../../server.js',
      'node node_modules/.bin/pkg',
      'node node_modules/pkg',
      'node /a/not_node_modules/pkg/a.js',
    ],
  ])('of %s is a file on this computer', (line) => {
    expect(published(line)).toBeUndefined()
  })

  it.each([
    ...[
      'npx git+https://example.com/a.git',
      'npx github:user/pkg',
      'npx user/pkg',
      'npx pkg@user/pkg',
      'npx https://example.com/a.tgz',
    ],
    ...[
      'npx pkg@npm:other@1.0.0',
      'npx npm:other',
      'pnpm dlx pkg@catalog:',
      'uvx git+https://example.com/a',
      'pipx run https://example.com/a',
    ],
    ...['uvx pkg@git+https://example.com/a', 'uvx --from git+https://example.com/a pkg'],
  ])('of %s is an address or an alias', (line) => {
    expect(published(line)).toBeUndefined()
  })

  it.each([
    ...['npx --registry https://example.com pkg', 'npx --registry=https://example.com pkg', 'npx --prefix ./a pkg', 'npx -c pkg'],
    ...['npm exec pkg --registry=https://example.com', 'npm --registry=https://example.com exec pkg', 'npx --userconfig a pkg'],
    ...['uvx --index https://example.com pkg', 'uvx --index-url=https://example.com pkg', 'uvx -i https://example.com pkg'],
    ...['uvx --with other pkg', 'uvx --config-file a pkg', 'pipx run --pip-args=-i pkg', 'pnpm -C a dlx pkg', 'bunx --cwd a pkg'],
    ...[
      'node --import ./hook.mjs node_modules/pkg/index.js',
      'node -r ./pre.cjs node_modules/pkg/index.js',
      'node --import=node_modules/pkg/a.js server.js',
    ],
    ...['docker run -v /a:/app mcp/fetch', 'docker run --entrypoint sh mcp/fetch', 'docker run -e NODE_OPTIONS=KEY mcp/fetch'],
    ...['docker run -e NODE_OPTIONS mcp/fetch', 'docker --context other run mcp/fetch', 'docker run --unknown mcp/fetch'],
  ])('of %s is unknown for an option that may replace it', (line) => {
    expect(published(line)).toBeUndefined()
  })

  it.each([
    ...[
      'npx -p pkg sh -c ls',
      'npx -p pkg',
      'npx -p one -p two two',
      'uvx --from pkg python',
      'npx --package=pkg node server.js',
    ],
    ...['cmd /c npx pkg & other', 'cmd /k npx pkg', 'cmd /c %TOOL% pkg'],
  ])('of %s is unknown for a second program', (line) => {
    expect(published(line)).toBeUndefined()
  })
})

describe('the published server at an address', () => {
  it.each([
    ['https://mcp.example/mcp', 'https://mcp.example/mcp'],
    ['https://mcp.example/mcp/', 'https://mcp.example/mcp'],
    ['https://MCP.example:443/v1/sse', 'https://mcp.example/v1/sse'],
    ['https://mcp.example', 'https://mcp.example'],
    ['https://mcp.example/', 'https://mcp.example'],
    ['https://mcp.example/other/../mcp', 'https://mcp.example/mcp'],
  ])('of %s is %s', (address, name) => {
    expect(publishedAddress(address)).toBe(name)
  })

  it.each([
    ...['http://mcp.example/mcp', 'wss://mcp.example/mcp', 'file:///mcp', 'mcp.example/mcp', ''],
    ...['https://mcp.example:8443/mcp', 'https://ana@mcp.example/mcp', 'https://:key@mcp.example/mcp'],
    ...['https://mcp.example/mcp?key=1', 'https://mcp.example/mcp#part'],
  ])('of %s is unknown', (address) => {
    expect(publishedAddress(address)).toBeUndefined()
  })

  it.each([
    ...['https://mcp.example./mcp', 'https://mcp.example/MCP', 'https://mcp.example/mcp//', 'https://mcp.example/%6dcp'],
    ...['https://mcp.example/mcp/mcp', 'https://mcp.example@other.example/mcp', 'https://xmcp.example/mcp'],
  ])('of %s is not another of nearly the same name', (address) => {
    expect(publishedAddress(address)).not.toBe('https://mcp.example/mcp')
  })
})

describe('the download of a published package', () => {
  it.each([
    ['npx -y files@1.2.3 /folder', '--yes --package files@1.2.3 -- node --eval 0', true],
    ['npx files', '--yes --package files -- node --eval 0', false],
    ['uvx mcp-server-git --repository /folder', '--from mcp-server-git python -c 0', false],
    ['uvx --from mcp[cli]==1.2.3 mcp run', '--from mcp[cli]==1.2.3 python -c 0', true],
    ['uvx --python 3.12 mcp-server-git', '--python 3.12 --from mcp-server-git python -c 0', false],
  ])('of %s is %s', (line, words, exact) => {
    const [command = '', ...args] = line.split(' ')
    expect(downloadOf(command, args)).toMatchObject({ args: words.split(' '), exact })
  })

  it('is not known for other runners and for what may be anything', () => {
    for (const line of ['pnpx files', 'uvx ./files', 'uvx --with other files', 'npx --call x'].map((one) => one.split(' ')))
      expect(downloadOf(line[0] ?? '', line.slice(1))).toBeUndefined()
  })
})
