import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { FRAME_PATHS, framePolicy } from './frame-documents.ts'

const document = (script: string) =>
  Buffer.from(
    `<html><style>a{}</style><script type="application/json">{}</script><script type="module">${script}</script></html>`,
  )
const policyOf = (path: string, script = 'x') => framePolicy(path, document(script)) ?? ''
const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

describe('the policy of frames for strangers’ content', () => {
  it('allows a PDF’s viewer its one script and its one style by hash, and nothing unsafe (SEC-19)', () => {
    const policy = policyOf('/pdf/index.html', 'run("é")\n')
    expect(policy).toContain(`script-src ${hash('run("é")\n')};`)
    expect(policy).toContain(`style-src ${hash('a{}')};`)
    expect(policy).not.toContain('unsafe')
    expect(policy).not.toContain("script-src 'self'")
  })

  it('allows diagrams and previews styles of their own, and no script but ours (SEC-19)', () => {
    for (const path of ['/diagram/index.html', '/preview/index.html']) {
      const policy = policyOf(path, 'run()')
      expect(policy).toContain(`script-src ${hash('run()')};`)
      expect(policy).toContain("style-src 'unsafe-inline';")
      expect(policy.match(/unsafe/g)).toHaveLength(1)
      expect(policy).not.toContain('worker-src')
    }
  })

  it.each(FRAME_PATHS)('takes the origin of %s away and allows no connection', (path) => {
    const policy = policyOf(path)
    expect(policy).toContain('sandbox allow-scripts')
    expect(policy).not.toContain('allow-same-origin')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("connect-src 'none'")
    expect(policy).toContain("frame-ancestors 'self'")
    expect(policy).not.toMatch(/https?:|\*/)
  })

  it('allows no script where there is none, and covers no other document', () => {
    expect(framePolicy('/pdf/index.html', Buffer.from('<html></html>'))).toContain("script-src 'none'")
    expect(framePolicy('/index.html', document('x'))).toBeUndefined()
    expect(framePolicy('constructor', document('x'))).toBeUndefined()
  })
})
