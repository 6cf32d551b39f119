import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { pdfPolicy } from './pdf-document.ts'

const document = (script: string) =>
  Buffer.from(
    `<html><style>a{}</style><script type="application/json">{}</script><script type="module">${script}</script></html>`,
  )
const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

describe('the policy of the frame that shows PDF files', () => {
  it('allows its one script and its one style by hash, and nothing unsafe (SEC-19)', () => {
    const policy = pdfPolicy(document('run("é")\n'))
    expect(policy).toContain(`script-src ${hash('run("é")\n')};`)
    expect(policy).toContain(`style-src ${hash('a{}')};`)
    expect(policy).not.toContain('unsafe')
    expect(policy).not.toContain("script-src 'self'")
  })

  it('takes its origin away and lets it connect to nothing', () => {
    const policy = pdfPolicy(document('x'))
    expect(policy).toContain('sandbox allow-scripts')
    expect(policy).not.toContain('allow-same-origin')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("connect-src 'none'")
    expect(policy).toContain("frame-ancestors 'self'")
  })

  it('allows no script when there is none', () => {
    expect(pdfPolicy(Buffer.from('<html></html>'))).toContain("script-src 'none'")
  })
})
