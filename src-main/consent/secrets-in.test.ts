import { describe, expect, it } from 'vitest'
import { secretsIn } from './secrets-in.ts'

describe('what looks like a key in a text', () => {
  it.each([
    ['API_KEY=hunter2hunter2', ['hunter2hunter2']],
    ['"password": "correct-horse"', ['correct-horse']],
    ['db_passwd: s3cr3t-s3cr3t', ['s3cr3t-s3cr3t']],
    ['client_secret = abcdefgh', ['abcdefgh']],
    ['key sk-live-4f9a8b7c6d5e4f3a2b1c0d9e', ['sk-live-4f9a8b7c6d5e4f3a2b1c0d9e']],
    ['ghp_abcdefghijklmnopqrst0123456789ABCDEF', ['ghp_abcdefghijklmnopqrst0123456789ABCDEF']],
    ['-----BEGIN PRIVATE KEY-----', ['PRIVATE KEY-----']],
    ['API_KEY=hunter2hunter2 API_KEY=hunter2hunter2', ['hunter2hunter2']],
  ])('is found: %s', (text, found) => {
    expect(secretsIn(text)).toEqual(found)
  })

  it.each([
    'API_KEY=your-key-here',
    'API_KEY=$API_KEY_HERE',
    'token: <token>',
    'password: changeme123',
    'token=process.env.TOKEN',
    'password: short',
    'The token is nice',
    'a8f5f167f44f4964e6c998dee827110ca8f5f167',
    '123e4567-e89b-12d3-a456-426614174000',
    'sk-abcdefghijklmnopqrstuvwxyzabcd',
    'internationalisation-and-localisation-2',
  ])('is none: %s', (text) => {
    expect(secretsIn(text)).toEqual([])
  })
})
