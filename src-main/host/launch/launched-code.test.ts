import { describe, expect, it } from 'vitest'
import { launchedCode } from './launched-code.ts'

const code = (line: string, os = 'linux') => {
  const [command = '', ...args] = line.split(' ')
  return launchedCode(command, args, os)
}

describe('the code that a launch runs (SEC-22)', () => {
  it.each([
    ['/usr/bin/node server.js --port 3', ['server.js']],
    ['node --max-old-space-size=99 -C dev server.js', ['server.js']],
    ['node --import ./hook.mjs -r ./pre.cjs server.js', ['./hook.mjs', './pre.cjs', 'server.js']],
    ['node --require=./pre.cjs server.js', ['./pre.cjs', 'server.js']],
    ['/opt/python3.12/bin/python3.12 -W ignore main.py', ['main.py']],
    ['python -u main.py', ['main.py']],
    ['bun run index.ts', ['index.ts']],
    ['deno run --allow-net main.ts', ['main.ts']],
    ['java -Xmx1g -jar server.jar --flag', ['server.jar']],
    ['bash -x start.sh', ['start.sh']],
    ['dotnet server.dll', ['server.dll']],
  ])('of %s is a script', (line, files) => {
    expect(code(line)).toEqual({ files })
  })

  it.each(['node -e console.log(1)', 'python -c print(1)', 'bash -c ls', '/opt/server --stdio', 'node'])(
    'of %s is nothing but the launch itself',
    (line) => {
      expect(code(line)).toEqual({ files: [] })
    },
  )

  it.each([
    'npx -y @scope/server@1.2.3 /folder',
    'npx --package=tool@2.0.0-beta.1 tool',
    'npm exec -y server@1.2.3',
    'pnpm dlx server@1.2.3',
    'uvx mcp-server-git==2026.1.2',
    'uvx --from mcp[cli]==1.2.3 mcp run',
    'uv tool run server@1.2.3',
    'pipx run --spec server==1.2 server',
    `docker run -i --rm -e KEY=1 mcp/x@sha256:${'a'.repeat(64)}`,
  ])('of %s is an exact version', (line) => {
    expect(code(line)).toEqual({ files: [] })
  })

  it.each([
    'npx -y @scope/server',
    'npx server@latest',
    'npx server@^1.2.3',
    'npx',
    'uvx mcp-server-git',
    'uvx mcp-server-git>=1.0',
    'docker run -i mcp/x:latest',
    'npx -p one@1.0.0 -p two two',
  ])('of %s is what its registry names at that time, in words', (line) => {
    expect(code(line)).toMatchObject({ files: [], open: expect.stringContaining('chooses a version at each start') })
  })

  it.each(['npm start', 'uv run server.py', 'python -m server', 'deno run https://example.com/a.ts'])(
    'of %s cannot be known beforehand, and that is said',
    (line) => {
      expect(code(line).open).toEqual(expect.any(String))
    },
  )

  it('is found by the names of programs on Windows', () => {
    expect(launchedCode('C:\\Program Files\\nodejs\\node.exe', ['a.js'], 'win32')).toEqual({ files: ['a.js'] })
    expect(launchedCode('C:\\nodejs\\npx.cmd', ['a'], 'win32').open).toContain('npx')
  })
})
