import type { FileAttachment } from '../../../src-shared/contract/attachments.ts'
import { imageType } from '../../images/image-header.ts'

const PDF = '%PDF-'
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

/** The kind of a file by its content; its name and claimed type do not count. */
type FileContent =
  | { readonly is: Exclude<FileAttachment['file'], 'text'>; readonly mimeType: string }
  | { readonly is: 'text'; readonly text: string }

/** Undefined for a file that no model can read. */
export function fileKind(bytes: Uint8Array): FileContent | undefined {
  const image = imageType(bytes)
  if (image) return { is: 'image', mimeType: image }
  if (isPdf(bytes)) return { is: 'pdf', mimeType: 'application/pdf' }
  const text = textOf(bytes)
  return text === undefined ? undefined : { is: 'text', text }
}

export function isPdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, PDF.length)).toString('latin1') === PDF
}

/** Undefined unless the bytes are UTF-8 without a zero character. */
function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  const marked = BYTE_ORDER_MARK.every((byte, at) => bytes[at] === byte)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(marked ? bytes.subarray(3) : bytes)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}
