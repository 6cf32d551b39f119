import { describe, expect, it } from 'vitest'
import { hostPattern, matchesHost, patternText } from './host-pattern.ts'

const read = (text: string) => {
  const found = hostPattern(text)
  if ('problem' in found) throw new Error(found.problem)
  return found
}

describe('a host that may be reached', () => {
  it('has one spelling', () => {
    for (const [text, spelled] of [
      [' API.Example.com ', 'api.example.com'],
      ['api.example.com.', 'api.example.com'],
      ['*.Example.com:8443', '*.example.com:8443'],
      ['bücher.example', 'xn--bcher-kva.example'],
      ['localhost:3000', 'localhost:3000'],
      ['[::0001]:8080', '[::1]:8080'],
      ['0x7f.1:80', '127.0.0.1:80'],
    ] as const) {
      expect(patternText(read(text))).toBe(spelled)
    }
  })

  it('is refused with what is wrong', () => {
    for (const [text, problem] of [
      ['', 'Enter a host'],
      ['https://example.com', 'without https://'],
      ['example.com/path', 'without https://'],
      ['a b', 'is not a host'],
      ['user@example.com', 'is not a host'],
      ['exam!ple.com', 'is not a host'],
      ['a.*.example.com', 'is not a host'],
      ['example.com:0', 'A port is'],
      ['example.com:70000', 'A port is'],
      ['*.com', 'too wide'],
      ['*', 'is not a host'],
      ['*.127.0.0.1', 'too wide'],
    ] as const) {
      expect(hostPattern(text)).toEqual({ problem: expect.stringContaining(problem) })
    }
  })

  it('matches its own name at the ports of the web, or at the port that it names', () => {
    const one = read('api.example.com')
    expect([80, 443, 8080].map((port) => matchesHost(one, 'api.example.com', port))).toEqual([true, true, false])
    expect(matchesHost(one, 'x.api.example.com', 443)).toBe(false)
    expect(matchesHost(one, 'api.example.com.evil.example', 443)).toBe(false)
    const other = read('api.example.com:8080')
    expect([443, 8080].map((port) => matchesHost(other, 'api.example.com', port))).toEqual([false, true])
  })

  it('matches the names below it, and not itself, with an asterisk', () => {
    const all = read('*.example.com')
    const names = ['a.example.com', 'a.b.example.com', 'example.com', 'badexample.com', 'example.com.evil.example']
    expect(names.map((name) => matchesHost(all, name, 443))).toEqual([true, true, false, false, false])
  })
})
