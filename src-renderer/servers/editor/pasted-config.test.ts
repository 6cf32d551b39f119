import { describe, expect, it } from 'vitest'
import { readPastedConfig, recognised } from './pasted-config.ts'

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

  it('gives remote servers and all of several', () => {
    const text = JSON.stringify({
      mcpServers: { a: { url: 'https://a.example/mcp', headers: { 'X-Key': 'k' } }, b: entry, c: 'no' },
    })
    expect(readPastedConfig(text)).toEqual([
      { name: 'a', args: [], env: {}, url: 'https://a.example/mcp', headers: { 'X-Key': 'k' } },
      { name: 'b', ...read },
    ])
  })

  it.each(['npx -y server', '{', '{}', '[]', '{"a": 1}', '"just text"'])('is not seen in %s', (text) => {
    expect(readPastedConfig(text)).toBeUndefined()
  })
})

describe('what is pasted into a field of the server form', () => {
  const line = { command: 'npx', args: ['-y', 'server'], env: {} }

  it('is a configuration in any of them', () => {
    for (const field of ['name', 'command', 'url', '']) {
      expect(recognised(JSON.stringify({ one: entry }), field)).toEqual({ is: 'servers', servers: [{ name: 'one', ...read }] })
    }
  })

  it('is a command line where a name, a command or an address belongs, and words elsewhere', () => {
    for (const field of ['name', 'command', 'url']) expect(recognised('npx -y server', field)).toEqual({ is: 'line', line })
    expect(recognised('npx -y server', '')).toBeUndefined()
    expect(recognised('My own files', 'name')).toBeUndefined()
    expect(recognised('my-server --flag', 'command')).toMatchObject({ is: 'line' })
    expect(recognised('KEY=1 ./server x', 'name')).toMatchObject({ line: { command: './server', env: { KEY: '1' } } })
  })

  it('is an address where a name or a command belongs, and a value elsewhere', () => {
    for (const field of ['name', 'command']) {
      expect(recognised(' https://a.example/mcp\n', field)).toEqual({ is: 'url', url: 'https://a.example/mcp' })
    }
    for (const field of ['url', '']) expect(recognised('https://a.example/mcp', field)).toBeUndefined()
  })
})
