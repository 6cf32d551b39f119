import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { joinCommandLine, readCommandLine, splitCommandLine } from './command-line.ts'

describe('a command line', () => {
  it.each<[string, string[]]>([
    ['', []],
    ['  ', []],
    ['a b', ['a', 'b']],
    [' a\t b ', ['a', 'b']],
    ['"a b" c', ['a b', 'c']],
    ["'a b' c", ['a b', 'c']],
    [`--x="a b"'c'`, ['--x=a bc']],
    ['""', ['']],
    ['a\\ b', ['a b']],
    ['"say \\"hi\\""', ['say "hi"']],
    ["'a\\b'", ['a\\b']],
    ['C:\\Users\\me', ['C:\\Users\\me']],
    ['$HOME `ls` a|b', ['$HOME', '`ls`', 'a|b']],
  ])('%j is split into %j', (text, words) => {
    expect(splitCommandLine(text)).toEqual({ ok: true, words })
  })

  it('with an open quote is reported', () => {
    expect(splitCommandLine('a "b')).toEqual({ ok: false, error: 'A double quote is not closed' })
    expect(splitCommandLine("a 'b")).toEqual({ ok: false, error: 'A single quote is not closed' })
  })

  it('splits into the arguments that it was joined from', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', ' ', '"', "'", '\\', '\t', '\n', '$', 'é', '👍') })),
        (words) => {
          expect(splitCommandLine(joinCommandLine(words))).toEqual({ ok: true, words })
        },
      ),
    )
  })
})

describe('a pasted command', () => {
  it('gives command, arguments and leading variables', () => {
    expect(readCommandLine('$ API_KEY="a b" npx -y server /tmp')).toEqual({
      command: 'npx',
      args: ['-y', 'server', '/tmp'],
      env: { API_KEY: 'a b' },
    })
    expect(readCommandLine('env A=1 uvx thing')).toEqual({ command: 'uvx', args: ['thing'], env: { A: '1' } })
    expect(readCommandLine('docker run \\\n  -i image')).toEqual({ command: 'docker', args: ['run', '-i', 'image'], env: {} })
  })

  it('leaves a lone command and unreadable text alone', () => {
    expect(readCommandLine('npx')).toBeUndefined()
    expect(readCommandLine('')).toBeUndefined()
    expect(readCommandLine('say "hello')).toBeUndefined()
  })
})
