import { describe, expect, it } from 'vitest'
import { pngOf } from '../../../e2e/support/pictures.ts'
import { fileKind } from './file-kind.ts'

const utf8 = (text: string) => Buffer.from(text, 'utf8')

describe('the kind of a file', () => {
  it.each([
    ['plain words', utf8('Bonjour, ça va ?\r\n\tトウキョウ'), 'Bonjour, ça va ?\r\n\tトウキョウ'],
    ['words behind a byte order mark', Buffer.from([0xef, 0xbb, 0xbf, 0x68, 0x69]), 'hi'],
    ['a page of the web', utf8('<script>alert(1)</script>'), '<script>alert(1)</script>'],
    ['a drawing that could act', utf8('<svg onload="alert(1)"/>'), '<svg onload="alert(1)"/>'],
  ])('is text: %s', (_what, bytes, text) => {
    expect(fileKind(bytes)).toEqual({ is: 'text', text })
  })

  it('is found by the first bytes: images and PDF', () => {
    expect(fileKind(pngOf({ width: 1, height: 1 }))).toEqual({ is: 'image', mimeType: 'image/png' })
    expect(fileKind(Buffer.from([0xff, 0xd8, 0xff, 0xe0]))).toEqual({ is: 'image', mimeType: 'image/jpeg' })
    expect(fileKind(utf8('GIF89a…'))).toEqual({ is: 'image', mimeType: 'image/gif' })
    expect(fileKind(utf8('RIFF0000WEBPVP8 '))).toEqual({ is: 'image', mimeType: 'image/webp' })
    expect(fileKind(utf8('%PDF-1.7\n'))).toEqual({ is: 'pdf', mimeType: 'application/pdf' })
  })

  it.each([
    ['bytes that are no UTF-8', Buffer.from([0x63, 0x61, 0x66, 0xe9])],
    ['UTF-8 that ends in the middle of a character', Buffer.from([0x61, 0xc3])],
    ['half of a pair, written as if it were a character', Buffer.from([0xed, 0xa0, 0x80])],
    ['text with a NUL in it', utf8('name\0value')],
    ['an archive', Buffer.from('504b0304140000000800', 'hex')],
    ['text in UTF-16', Buffer.from('\ufeffhello', 'utf16le')],
  ])('is unusable for a model: %s', (_what, bytes) => {
    expect(fileKind(bytes)).toBeUndefined()
  })
})
