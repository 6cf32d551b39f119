import { describe, expect, it } from 'vitest'
import { folderOf, fullPath, isWithin, looksLikePath, shownPath } from './read-path.ts'

const facts = { home: '/home/ana', resolved: new Map([['/home/ana/shop/link', '/etc/real']]) }

describe('the target of a path', () => {
  it.each([
    ['/home/ana/x', undefined, '/home/ana/x'],
    ['/home/ana/shop/../../bob/x', undefined, '/home/bob/x'],
    ['/../../etc/passwd', undefined, '/etc/passwd'],
    ['//etc/passwd', undefined, '/etc/passwd'],
    ['/home/./ana//x/', undefined, '/home/ana/x/'],
    ['~', undefined, '/home/ana'],
    ['~/../bob', undefined, '/home/bob'],
    ['x/y', '/home/ana/shop', '/home/ana/shop/x/y'],
    ['../../x', '/home/ana/shop', '/home/x'],
    ['.', '/home/ana/shop', '/home/ana/shop'],
    ['x', undefined, undefined],
    ['../x', undefined, undefined],
    ['file:///etc/passwd', undefined, '/etc/passwd'],
    ['file://localhost/etc/passwd', undefined, '/etc/passwd'],
    ['file:/etc/passwd', undefined, '/etc/passwd'],
    ['file:etc/passwd', '/home/ana', undefined],
    [' /etc/passwd', '/home/ana', undefined],
    [' FILE:/home/ana/x/../.netrc', undefined, '/home/ana/.netrc'],
    ['file:///home/ana/a%20b', undefined, '/home/ana/a b'],
    ['file:///home/ana/x/..%2f..%2fetc', undefined, '/home/etc'],
    ['file:///C:/x/../y', undefined, 'C:\\y'],
    ['C:\\Users\\..\\x', undefined, 'C:\\x'],
    ['c:/a/b', undefined, 'c:\\a\\b'],
    ['\\\\host\\share\\..\\..\\x', undefined, '\\\\host\\share\\x'],
    ['..\\x', 'C:\\a\\b', 'C:\\a\\x'],
  ])('is found from its folder: %s from %s is %s', (text, base, path) => {
    expect(fullPath(text, facts, base)).toBe(path)
  })

  it.each([
    ['another person’s home', '~bob/x'],
    ['a variable', '/home/$USER/x'],
    ['a variable of Windows', 'C:\\%USERPROFILE%\\x'],
    ['a substitution', '/home/`id`/x'],
    ['a pattern', '/home/ana/*'],
    ['one letter of any kind', '/home/ana/?'],
    ['a cut end', '/home/ana/x\0.txt'],
    ['two lines', '/home/ana/x\n/etc/passwd'],
    ['encoded dots', '/home/ana/%2e%2e/x'],
    ['encoded dots in capitals', '/home/ana/%2E%2E/x'],
    ['encoded dots in an address', 'file:///home/ana/%2e%2e/x'],
    ['another computer', 'file://host/etc/passwd'],
    ['what cannot be decoded', 'file:///%zz'],
    ['more than 4 KiB', `/${'x'.repeat(4_096)}`],
  ])('is unknown for %s', (_what, text) => {
    expect(fullPath(text, facts, '/home/ana/shop')).toBeUndefined()
  })
})

describe('a folder', () => {
  it.each([
    ['/home/ana/shop', '/home/ana/shop'],
    ['/home/ana/shop/a/b', '/home/ana/shop'],
    ['/home/ana/shop/..x', '/home/ana/shop'],
    ['/home/ana/shop/...', '/home/ana/shop'],
    ['/x', '/'],
    ['/home/ana/shop/x', '/home/ana/shop/'],
    ['C:\\Users\\Ana\\x', 'c:\\users\\ana'],
    ['\\\\host\\share\\x', '\\\\HOST\\share'],
  ])('holds %s: %s', (path, folder) => {
    expect(isWithin(path, folder)).toBe(true)
  })

  it.each([
    ['/home/ana/shopping', '/home/ana/shop'],
    ['/home/ana', '/home/ana/shop'],
    ['/', '/home'],
    ['/Home/ana/x', '/home/ana'],
    ['D:\\x', 'C:\\'],
    ['\\\\host\\other\\x', '\\\\host\\share'],
    ['C:\\home\\x', '/home'],
    ['/home/x', 'C:\\home'],
    ['C:\\Users\\Anais', 'C:\\Users\\Ana'],
  ])('does not hold %s: %s', (path, folder) => {
    expect(isWithin(path, folder)).toBe(false)
  })

  it('of a path is the parent', () => {
    expect([folderOf('/a/b/c'), folderOf('C:\\a\\b')]).toEqual(['/a/b', 'C:\\a'])
  })
})

describe('a text', () => {
  it.each(['/x', '~', '~/x', './x', '../x', '..', 'file:///x', ' FILE:x', 'C:\\x', 'c:/x', '\\\\host\\share', ' /x', '/x\0'])(
    'can only be a path: %s',
    (text) => {
      expect(looksLikePath(text)).toBe(true)
    },
  )
  it.each(['//host/x', 'x/y', '~bob', '.env', '...', '/x\ny', `/${'x'.repeat(4_096)}`, 'C:x'])(
    'may be something else: %s',
    (text) => {
      expect(looksLikePath(text)).toBe(false)
    },
  )
})

it('a path within the home folder is shown from there', () => {
  expect(['/home/ana', '/home/ana/x', '/home/anais', '/etc'].map((path) => shownPath(path, facts))).toEqual([
    ...['~', '~/x', '/home/anais', '/etc'],
  ])
  expect(shownPath('/x', { home: '' })).toBe('/x')
})
