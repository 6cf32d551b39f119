import { describe, expect, it } from 'vitest'
import { BlobLinks, blobHeaders } from './blob-links.ts'

const blob = 'a'.repeat(64)
const opened = (path: string) => new URL(path, 'http://127.0.0.1:1')

describe('links to blobs', () => {
  it('with a name are saved under it, even where the page would show them', () => {
    const links = new BlobLinks()
    const linked = links.check(opened(links.path(blob, 'image/png', 'Übersicht "1".png')))
    expect(linked).toEqual({ blob, mimeType: 'image/png', name: 'Übersicht "1".png' })
    const headers = linked ? blobHeaders(linked) : {}
    expect(headers).toMatchObject({ 'content-type': 'application/octet-stream', 'content-security-policy': 'sandbox' })
    expect(headers['content-disposition']).toBe("attachment; filename*=UTF-8''%C3%9Cbersicht%20%221%22.png")
  })

  it('are valid for exactly what they were made for', () => {
    const links = new BlobLinks()
    const plain = links.path(blob, 'image/png')
    expect(links.check(opened(plain))).toEqual({ blob, mimeType: 'image/png' })
    expect(links.check(opened(`${plain}&name=other.html`))).toBeUndefined()
    expect(links.check(opened(plain.replace('image%2Fpng', 'text%2Fhtml')))).toBeUndefined()
    expect(new BlobLinks().check(opened(plain))).toBeUndefined()
  })
})
