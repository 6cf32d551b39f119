import { describe, expect, it } from 'vitest'
import { isFolder, resourceKind, uriFileName } from './resource-kind.ts'

describe('the view of a resource', () => {
  it('shows HTML and SVG as source, never as a page or a picture (RES-30)', () => {
    expect(resourceKind('x://a', 'text/html; charset=utf-8', 'text')).toEqual({ is: 'code', language: 'html' })
    expect(resourceKind('x://a.svg', 'image/svg+xml', 'text')).toEqual({ is: 'code', language: 'xml' })
    expect(resourceKind('x://a.svg', 'image/svg+xml', 'blob')).toEqual({ is: 'bytes' })
  })

  it('is plain text for text and bytes for bytes without a type (RES-26)', () => {
    expect(resourceKind('x://a', undefined, 'text')).toEqual({ is: 'text' })
    expect(resourceKind('x://a', undefined, 'blob')).toEqual({ is: 'bytes' })
    expect(resourceKind('x://a', 'application/zip', 'blob')).toEqual({ is: 'bytes' })
  })

  it('is known for Markdown, JSON, tables, code, pictures and sounds', () => {
    const kinds = [
      resourceKind('x://a', 'text/markdown', 'text'),
      resourceKind('x://readme.md', 'text/plain', 'text'),
      resourceKind('x://a', 'application/ld+json', 'text'),
      resourceKind('x://a.csv', undefined, 'text'),
      resourceKind('file:///src/main.rs?x', undefined, 'text'),
      resourceKind('x://a', 'image/png', 'blob'),
      resourceKind('x://a', 'audio/wav', 'blob'),
    ]
    expect(kinds.map((kind) => kind.is)).toEqual(['markdown', 'markdown', 'json', 'csv', 'code', 'image', 'audio'])
  })

  it('is a PDF by its type, or by its name without one', () => {
    const kinds = [
      resourceKind('x://a', 'application/pdf; version=1.7', 'blob'),
      resourceKind('file:///report.PDF', undefined, 'blob'),
      resourceKind('file:///report.pdf', 'application/octet-stream', 'blob'),
      resourceKind('file:///report.pdf', 'application/zip', 'blob'),
      resourceKind('file:///report.pdf', 'application/pdf', 'text'),
    ]
    expect(kinds.map((kind) => kind.is)).toEqual(['pdf', 'pdf', 'pdf', 'bytes', 'text'])
  })

  it('is a folder for inode/directory (RES-19)', () => {
    expect(isFolder('inode/directory')).toBe(true)
    expect(isFolder('text/plain')).toBe(false)
  })

  it('has a harmless file name for any address', () => {
    expect(uriFileName('file:///a/b%20c.txt?x#y')).toBe('b-c.txt')
    expect(uriFileName('x://a/..%2F..%2Fetc%2Fpasswd')).toBe('etc-passwd')
    expect(uriFileName('x:///')).toBe('resource')
    expect(uriFileName('x://a/\u202Egpj.exe')).toBe('gpj.exe')
  })
})
