import { describe, expect, it } from 'vitest'
import { MOST_SEEN, WatchLog } from './watch-log.ts'

const hex = (text: string | Buffer) => [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
const quoted = (text: string | Buffer) => `"${hex(text)}"`
const at = (folder: string) => `AT_FDCWD<${hex(folder)}>`

function read(...lines: readonly string[]): WatchLog {
  const log = new WatchLog({ cwd: '/home/me' })
  log.push(Buffer.from(lines.map((line) => `${line}\n`).join('')))
  return log
}

const opened = (path: string, flags = 'O_RDONLY|O_CLOEXEC') =>
  `12 openat(${at('/srv')}, ${quoted(path)}, ${flags}) = 3<${hex(path)}>`

describe('the log of a watched server', () => {
  it('tells what was read, changed and only looked for', () => {
    const log = read(
      opened('/home/me/notes/a.txt'),
      opened('/home/me/notes/b.txt', 'O_WRONLY|O_CREAT, 0666'),
      `12 openat(${at('/srv')}, ${quoted('/home/me/.ssh/id')}, O_RDONLY) = -1 ENOENT (No such file or directory)`,
      `12 mkdir(${quoted('/srv/new')}, 0777) = -1 EROFS (Read-only file system)`,
      `12 rename(${quoted('/tmp/one')}, ${quoted('/tmp/two')}) = 0`,
      `12 execve(${quoted('/usr/bin/git')}, [${quoted('git')}], 0x7ffc /* 35 vars */) = 0`,
    )
    expect([...log.paths]).toEqual([
      ['/home/me/notes/a.txt', 'read'],
      ['/home/me/notes/b.txt', 'changed'],
      ['/home/me/.ssh/id', 'looked'],
      ['/srv/new', 'refused'],
      ['/tmp/one', 'changed'],
      ['/tmp/two', 'changed'],
    ])
    expect([...log.programs]).toEqual(['/usr/bin/git'])
    expect(log.missed).toBe(0)
  })

  it('resolves a relative path by the folder of its process, and keeps the place that a link leads to', () => {
    const log = read(
      `12 mkdir(${quoted('first')}, 0777) = 0`,
      `13 chdir(${quoted('/srv/app')}) = 0`,
      `13 unlink(${quoted('../old')}) = 0`,
      `12 openat(7<${hex('/data')}>, ${quoted('x')}, O_RDONLY) = 8<${hex('/real/x')}>`,
      `12 unlinkat(7<${hex('/data')}>(deleted), ${quoted('y')}, 0) = 0`,
    )
    expect([...log.paths.keys()]).toEqual(['/home/me/first', '/srv/old', '/data/x', '/real/x', '/data/y'])
  })

  it('joins a call with its end, and does not join those of two processes', () => {
    const [before, after] = [`openat(${at('/')}, ${quoted('/a')}, O_RDONLY <unfinished ...>`, '<... openat resumed>) = 3']
    const log = read(`12 ${before}`, `13 ${after}`, `12 ${after}`)
    expect([...log.paths]).toEqual([['/a', 'read']])
    expect(log.missed).toBe(1)
  })

  it('keeps names with newlines, quotes and words of the log as names', () => {
    const nasty = '/tmp/a"b\n12 openat(AT_FDCWD</>, "/etc", O_RDONLY) = 3\n <unfinished ...>'
    const log = read(opened(nasty))
    expect([...log.paths.keys()]).toEqual([nasty])
    expect(log.missed).toBe(0)
  })

  it('counts lines that it does not understand, names in the clear among them', () => {
    const log = read(
      'strace: something',
      '12 openat(AT_FDCWD, "/plain", O_RDONLY) = 3',
      '12 new_call("\\x2f") = 0',
      '12 toString("\\x2f") = 0',
      '12 <... openat resumed>) = 3',
      `12 openat(9, ${quoted('relative')}, O_RDONLY) = 3`,
      '',
    )
    expect(log.paths.size).toBe(0)
    expect(log.missed).toBe(7)
  })

  it('keeps no more than its bounds, and counts the rest', () => {
    const log = read(...Array.from({ length: 100_000 }, (_, at) => opened(`/many/${at}`)), `12 open(${'x'.repeat(70_000)}`)
    expect(log.paths.size).toBe(MOST_SEEN)
    expect(log.missed).toBe(100_000 - MOST_SEEN + 1)
    log.push(Buffer.from('y'.repeat(200_000)))
    log.push(Buffer.from(`\n${opened('/many/1', 'O_RDWR')}\n`))
    expect(log.missed).toBe(100_000 - MOST_SEEN + 2)
    expect(log.paths.get('/many/1')).toBe('changed')
  })

  it('names an address as an answer of DNS did, and leaves out questions for names', () => {
    const message = Buffer.from(
      '12348180000100010000000003617069076578616d706c6503636f6d0000010001c00c00010001000000e10004c0000207',
      'hex',
    )
    const to = (port: number, address: string) =>
      `{sa_family=AF_INET, sin_port=htons(${port}), sin_addr=inet_addr(${quoted(address)})}, 16)`
    const socket = `18<${hex('socket:[1]')}>`
    const log = read(
      `12 connect(${socket}, ${to(53, '192.0.2.53')} = 0`,
      `12 recvfrom(${socket}, ${quoted(message)}, 1024, 0, ${to(53, '192.0.2.53').slice(0, -5)}, [28 => 16]) = 49`,
      `12 connect(${socket}, ${to(0, '192.0.2.7')} = 0`,
      `12 connect(${socket}, ${to(443, '192.0.2.7')} = -1 EINPROGRESS (Operation now in progress)`,
      `12 connect(${socket}, ${to(80, '198.51.100.1')} = -1 ENETUNREACH (Network is unreachable)`,
      `12 connect(${socket}, {sa_family=AF_INET6, sin6_port=htons(80), sin6_flowinfo=htonl(0), inet_pton(AF_INET6, ${quoted('::1')}, &sin6_addr), sin6_scope_id=0}, 28) = 0`,
      `12 connect(${socket}, {sa_family=AF_UNIX, sun_path=@${quoted('abc\0\0')}}, 110) = 0`,
      `12 connect(${socket}, {sa_family=AF_UNIX, sun_path=${quoted('/run/docker.sock')}}, 110) = 0`,
    )
    expect([...log.hosts]).toEqual([
      ['api.example.com:443', true],
      ['198.51.100.1:80', false],
      ['[::1]:80', true],
    ])
    expect([...log.sockets]).toEqual(['@abc', '/run/docker.sock'])
    expect(log.missed).toBe(0)
  })

  it('leaves out the work of the fence, which ends where its program starts', () => {
    const log = new WatchLog({ cwd: '/', startsWith: '/usr/bin/prlimit' })
    const run = (program: string) => `12 execve(${quoted(program)}, [${quoted('x')}], 0x1 /* 3 vars */) = 0\n`
    log.push(
      Buffer.from(`${run('/usr/bin/bwrap')}${opened('/oldroot/home')}\n${run('/usr/bin/prlimit')}${opened('/home/me/x')}\n`),
    )
    expect([...log.paths.keys()]).toEqual(['/home/me/x'])
    expect(log.programs.size).toBe(0)
  })
})
