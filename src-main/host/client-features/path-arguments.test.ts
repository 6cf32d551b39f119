import { describe, expect, it } from 'vitest'
import { outsidePaths } from './path-arguments.ts'

const HOME = ['/home/ada/project', '/data/shared.txt']

describe('paths in tool arguments', () => {
  it('are marked when they lie outside every folder, with where they stand', () => {
    const args = {
      path: '/etc/passwd',
      files: ['/home/ada/project/a.txt', '/home/ada/other/b.txt'],
      deep: { to: 'file:///root/x%20y' },
    }
    expect(outsidePaths(args, HOME)).toEqual([
      { argument: 'path', path: '/etc/passwd' },
      { argument: 'files[1]', path: '/home/ada/other/b.txt' },
      { argument: 'deep.to', path: '/root/x y' },
    ])
  })

  it('are judged after `..` is resolved, and never by a mere beginning (ROOT-10)', () => {
    const marked = (path: string) => outsidePaths({ path }, HOME).length > 0
    expect(marked('/home/ada/project/sub/../a')).toBe(false)
    expect(marked('/home/ada/project/../../bob')).toBe(true)
    expect(marked('/home/ada/project-two/a')).toBe(true)
    expect(marked('/data/shared.txt')).toBe(false)
    expect(marked('~/secrets')).toBe(true)
    expect(marked('../up')).toBe(true)
  })

  it('are known on Windows, too, whatever their case (ROOT-10)', () => {
    const folders = ['C:\\Users\\Ada']
    expect(outsidePaths({ a: 'c:\\users\\ada\\x', b: 'C:/Users/Ada/y', c: 'D:\\x', d: '\\\\host\\share' }, folders)).toEqual([
      { argument: 'c', path: 'D:\\x' },
      { argument: 'd', path: '\\\\host\\share\\' },
    ])
  })

  it('are not looked for in plain texts, in large values, or without folders', () => {
    expect(outsidePaths({ text: 'hello', url: 'https://example.org/a', time: '12:30', comment: '// no path' }, HOME)).toEqual([])
    expect(outsidePaths({ path: '/etc' }, [])).toEqual([])
    const many = Array.from({ length: 5_000 }, (_, n) => `/x/${n}`)
    expect(outsidePaths({ many }, HOME).length).toBe(8)
  })
})
