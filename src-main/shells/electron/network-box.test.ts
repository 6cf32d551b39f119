import { describe, expect, it } from 'vitest'
import { DENY } from './native-boxes.ts'
import { networkBoxes } from './network-box.ts'

const authority = { subject: 'no\u202ebody', expiresAt: 0, fingerprint: 'AB:CD' }

describe('the native boxes about the network', () => {
  it('name who could read the traffic, whole and inert, and deny unless allowed', () => {
    const [box] = networkBoxes({ authorities: [authority], proxy: 'http://proxy.example:80' }) ?? []
    expect(box).toMatchObject({ message: 'Trust these certificate authorities?', defaultId: DENY, cancelId: DENY })
    for (const words of ['Proxy: http://proxy.example:80', 'Authority: no\\u{202e}body', 'SHA-256 AB:CD']) {
      expect(box?.detail).toContain(words)
    }
    expect(networkBoxes({ authorities: [], proxy: 'http://p:1' })?.[0]?.message).toBe('Send everything through this proxy?')
  })

  it('refuse more than a person reads', () => {
    expect(networkBoxes({ authorities: Array.from({ length: 200 }, () => authority) })).toBeUndefined()
  })
})
