import { describe, expect, it } from 'vitest'
import { isLoopbackHost, isNearer, nearnessOf } from './hosts.ts'

describe('this computer', () => {
  it.each(['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'a.b.localhost.', '127.0.0.1', '127.9.9.9', '[::1]'])(
    'is %s',
    (host) => expect(isLoopbackHost(host)).toBe(true),
  )

  it.each(['', 'localhost.example', 'notlocalhost', '127.0.0.1.example', '128.0.0.1', '[::2]', '10.0.0.1', '0.0.0.0'])(
    'is not “%s”',
    (host) => expect(isLoopbackHost(host)).toBe(false),
  )
})

describe('the distance of a host', () => {
  it.each([
    ['127.0.0.1', 'computer'],
    ['0.0.0.0', 'computer'],
    ['::', 'computer'],
    ['[::1]', 'computer'],
    ['::ffff:7f00:1', 'computer'],
    ['64:ff9b::127.0.0.1', 'computer'],
    ['app.localhost.', 'computer'],
    ...[
      ...['10.0.0.1', '0.1.2.3', '100.64.0.1', '100.127.255.255', '169.254.1.1', '172.16.0.1', '172.31.255.255', '192.0.0.8'],
      ...['192.168.1.1', '198.18.0.1', '198.19.255.255', '224.0.0.1', '255.255.255.255'],
      ...['fc00::1', 'fd12::1', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', '2001::1', '64:ff9b:1::1'],
      ...['::10.0.0.1', '::ffff:10.0.0.1', '::ffff:a00:1', '::ffff:0:10.0.0.1', '64:ff9b::10.0.0.1', '2002:a00:1::1'],
      ...['router', 'router.', 'router.local', 'vault.corp.internal.', 'nas.home.arpa'],
    ].map((host): [string, string] => [host, 'network']),
    ...[
      ...['8.8.8.8', '172.15.255.255', '172.32.0.1', '100.128.0.1', '192.0.1.1', '198.20.0.1', '223.255.255.255'],
      ...['2606:4700::1111', '[2606:4700::1111]', '::ffff:8.8.8.8', '64:ff9b::808:808', '2002:808:808::1'],
      ...['example.com', 'example.com.', 'local.example', 'cafe.example'],
    ].map((host): [string, string] => [host, 'internet']),
  ])('is for %s: %s', (host, nearness) => expect(nearnessOf(host)).toBe(nearness))
})

it('a host is nearer than one of a wider network, and not nearer than one of its own', () => {
  expect(isNearer('127.0.0.1', 'example.com')).toBe(true)
  expect(isNearer('192.168.1.1', 'example.com')).toBe(true)
  expect(isNearer('localhost', 'router')).toBe(true)
  expect(isNearer('example.com', '127.0.0.1')).toBe(false)
  expect(isNearer('other.example', 'example.com')).toBe(false)
})
