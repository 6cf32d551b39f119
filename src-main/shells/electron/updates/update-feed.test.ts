import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { canUpdate, readFeed } from './update-feed.ts'

const spki = (type: 'ed25519' | 'x25519') =>
  (type === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('x25519')).publicKey
    .export({ format: 'der', type: 'spki' })
    .toString('base64')
const key = spki('ed25519')

describe('the feed of updates', () => {
  it('is absent unless configured', () => {
    expect(readFeed(undefined)).toBeUndefined()
    expect(readFeed({ url: '', key: '' })).toBeUndefined()
  })

  it('may be a folder', () => {
    expect(readFeed({ url: 'https://updates.example/stable', key })?.url.href).toBe('https://updates.example/stable/')
    expect(readFeed({ url: 'http://127.0.0.1:8080/', key, publisher: 'P' })).toMatchObject({ publisher: 'P' })
    expect(readFeed({ url: 'http://localhost:8080/', key })?.url.href).toBe('http://localhost:8080/')
    expect(() => readFeed({ url: 'http://localhost.example/', key })).toThrow('https')
  })

  it.each([
    ['without encryption', { url: 'http://updates.example/', key }],
    ['that is a file', { url: 'file:///tmp/', key }],
    ['that is no address', { url: 'updates', key }],
    ['without a key', { url: 'https://updates.example/', key: '' }],
    ['with a key that signs nothing', { url: 'https://updates.example/', key: spki('x25519') }],
  ])('is never one %s', (_what, words) => {
    expect(() => readFeed(words)).toThrow(/^The update feed /)
  })

  it('is absent for packages that the system updates', () => {
    expect(canUpdate('linux', {})).toBe(false)
    expect(canUpdate('linux', { APPIMAGE: '/a' })).toBe(true)
    expect(canUpdate('win32', {})).toBe(true)
  })
})
