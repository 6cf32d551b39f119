import { describe, expect, it } from 'vitest'
import { addressParts } from './address-parts.ts'

describe('the host within an address', () => {
  it.each([
    ['https://example.com/sign-in?at=bank.example', 'example.com'],
    ['http://127.0.0.1:8080/x', '127.0.0.1:8080'],
    ['https://bank.example@evil.example/', 'evil.example'],
    ['https://a@b@evil.example', 'evil.example'],
    ['https:\\\\evil.example\\@bank.example/', 'evil.example'],
    ['https://evil.example#@bank.example/', 'evil.example'],
    ['https://[::1]:9000/x@y', '[::1]:9000'],
    ['https://аpple.com', 'аpple.com'],
  ])('%s', (url, host) => {
    const parts = addressParts(url)
    expect(parts.host).toBe(host)
    expect(parts.before + parts.host + parts.after).toBe(url)
    if (/^[\x20-\x7e]*$/.test(url)) expect(new URL(url).host).toBe(host)
  })
})
