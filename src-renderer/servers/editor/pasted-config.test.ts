import { describe, expect, it } from 'vitest'
import { readPastedConfig, recognised, typedCommandLine } from './pasted-config.ts'

const entry = { command: 'npx', args: ['-y', 'server', 3], env: { TOKEN: 'x' } }
const read = { command: 'npx', args: ['-y', 'server', '3'], env: { TOKEN: 'x' }, headers: {} }

describe('a pasted configuration', () => {
  it.each([
    ['a whole file', JSON.stringify({ mcpServers: { one: entry } }, null, 2)],
    ['an editor’s file', JSON.stringify({ servers: { one: entry } })],
    ['the inside of a file', JSON.stringify({ one: entry })],
    ['a fragment with its comma', `"one": ${JSON.stringify(entry)},`],
    ['a nested container', JSON.stringify({ mcp: { servers: { one: entry } } })],
  ])('is read from %s', (_what, text) => {
    expect(readPastedConfig(text)).toEqual([{ name: 'one', ...read }])
  })

  it('is read from one bare entry, which has no name', () => {
    expect(readPastedConfig(JSON.stringify(entry))).toEqual([read])
  })

  it('may contain remote servers, and several', () => {
    const text = JSON.stringify({
      mcpServers: { a: { url: 'https://a.example/mcp', headers: { 'X-Key': 'k' } }, b: entry, c: 'no' },
    })
    expect(readPastedConfig(text)).toEqual([
      { name: 'a', args: [], env: {}, url: 'https://a.example/mcp', headers: { 'X-Key': 'k' } },
      { name: 'b', ...read },
    ])
  })

  it.each(['npx -y server', '{', '{}', '[]', '{"a": 1}', '"just text"'])('is not recognized in %s', (text) => {
    expect(readPastedConfig(text)).toBeUndefined()
  })
})

describe('text pasted into the server form', () => {
  const line = { command: 'npx', args: ['-y', 'server'], env: {} }

  it('is a configuration in any field', () => {
    for (const field of ['name', 'command', 'url', '']) {
      expect(recognised(JSON.stringify({ one: entry }), field)).toEqual({ is: 'servers', servers: [{ name: 'one', ...read }] })
    }
  })

  it('is a command line where no field expects one, and words where one may', () => {
    for (const field of ['name', 'command', 'url', 'args', 'cwd', 'pair', 'number']) {
      expect(recognised('npx -y server', field), field).toEqual({ is: 'line', line })
    }
    expect(recognised('npx -y server', '')).toBeUndefined()
    expect(recognised('My own files', 'name')).toBeUndefined()
    expect(recognised('my-server --flag', 'command')).toMatchObject({ is: 'line' })
    expect(recognised('KEY=1 ./server x', 'name')).toMatchObject({ line: { command: './server', env: { KEY: '1' } } })
    expect(recognised('$ KEY=1 docker run -i mcp/fetch', 'cwd')).toMatchObject({ line: { command: 'docker', env: { KEY: '1' } } })
  })

  it.each([
    ['args', './server.js --flag'],
    ['args', '/c npx -y server'],
    ['args', 'KEY=1 ./server x'],
    ['args', '-y @scope/server /home/me'],
    ['cwd', '/home/me/my projects'],
    ['cwd', 'C:\\Users\\me\\my projects'],
    ['pair', 'API_KEY'],
    ['number', '30'],
  ])('is the field’s own text in “%s”: %s', (field, text) => {
    expect(recognised(text, field)).toBeUndefined()
  })

  it('may be the arguments of another command', () => {
    expect(recognised('npx -y server', 'args', 'npx')).toEqual({ is: 'line', line })
    expect(recognised('npx -y server', 'args', 'sudo')).toBeUndefined()
    expect(recognised('https://a.example/mcp', 'args', 'mcp-remote')).toBeUndefined()
    expect(recognised('npx -y server', 'cwd', 'sudo')).toEqual({ is: 'line', line })
  })

  it('is an address where none belongs, and a value elsewhere', () => {
    for (const field of ['name', 'command', 'args', 'cwd', 'pair']) {
      expect(recognised(' https://a.example/mcp\n', field), field).toEqual({ is: 'url', url: 'https://a.example/mcp' })
    }
    for (const field of ['url', '']) expect(recognised('https://a.example/mcp', field)).toBeUndefined()
  })
})

describe('a typed command', () => {
  it('is a command line where it begins with a known launcher and no arguments are given', () => {
    expect(typedCommandLine('npx -y server /a', '')).toEqual({
      is: 'line',
      line: { command: 'npx', args: ['-y', 'server', '/a'], env: {} },
    })
  })

  it.each([
    ['npx', ''],
    ['npx -y server', '/a'],
    ['/opt/my tools/server', ''],
    ['C:\\Program Files\\node.exe', ''],
    ['my server', ''],
  ])('stays a program: %s with the arguments "%s"', (command, args) => {
    expect(typedCommandLine(command, args)).toBeUndefined()
  })
})
