import { expect, it } from 'vitest'
import { readError } from './blocked-guesses.ts'

it.each([
  ['Error: getaddrinfo EAI_AGAIN api.example.com', 'api.example.com'],
  ['request to https://x failed, reason: getaddrinfo ENOTFOUND Api.Example.com', 'api.example.com'],
  ["NameResolutionError: Failed to resolve 'api.example.com' ([Errno -3])", 'api.example.com'],
  ['Get "https://x": dial tcp: lookup api.example.com on 127.0.0.53:53: connection refused', 'api.example.com'],
  ['curl: (6) Could not resolve host: api.example.com', 'api.example.com'],
])('an error names the host that was not found: %s', (error, host) => {
  expect(readError(error).hosts).toEqual([host])
})

it.each([
  ["ENOENT: no such file or directory, open '/home/me/notes/a.txt'", '/home/me/notes/a.txt', false],
  ["[Errno 2] No such file or directory: '/home/me/notes/a.txt'", '/home/me/notes/a.txt', false],
  ["[Errno 13] Permission denied: '/home/me/notes/a.txt'", '/home/me/notes/a.txt', false],
  ["[Errno 1] Operation not permitted: '/home/me/notes/a.txt'", '/home/me/notes/a.txt', false],
  ['open /home/me/notes/a.txt: operation not permitted', '/home/me/notes/a.txt', false],
  ['ls: /home/me/notes: Operation not permitted', '/home/me/notes', false],
  ['cat: /home/me/notes/a.txt: No such file or directory', '/home/me/notes/a.txt', false],
  ["EROFS: read-only file system, open '/home/me/notes/a.txt'", '/home/me/notes/a.txt', true],
  ['open /home/me/notes/a.txt: no such file or directory', '/home/me/notes/a.txt', false],
])('an error names the path that was not reached: %s', (error, path, write) => {
  expect(readError(error).paths).toEqual([{ path, write }])
})

it.each([
  'The file /home/me/notes/a.txt has no line 7.',
  'Failed with 404 at https://api.example.com/home',
  'getaddrinfo EAI_AGAIN localhost',
  "open '/home/me/notes/a.txt' for details",
])('an error of something else gives no host and no path: %s', (error) => {
  expect(readError(error)).toMatchObject({ hosts: [], paths: [] })
})

it('an error without a name says that the network is missing', () => {
  expect(readError('TypeError: fetch failed')).toEqual({ hosts: [], network: true, paths: [] })
  expect(readError('fetch returned 500')).toEqual({ hosts: [], network: false, paths: [] })
})

it('a flood of names in one error gives three of each', () => {
  const text = Array.from({ length: 200 }, (_, n) => `getaddrinfo ENOTFOUND ${n}.example.com\nENOENT: x, open '/a/${n}'`).join(
    '\n',
  )
  const { hosts, paths } = readError(text)
  expect([hosts.length, paths.length]).toEqual([3, 3])
})
