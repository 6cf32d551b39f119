import { readFile } from 'node:fs/promises'
// Loads the worker half of pdf.js into this thread, where the other half finds it.
import 'pdfjs-dist/legacy/build/pdf.worker.mjs'
import { getDocument, PasswordException, type PDFDocumentProxy, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { forgetBuffers } from './bounded-buffers.ts'
import type { PdfAnswer, PdfJob } from './document-protocol.ts'

const MAX_PAGES = 2000

/** The character maps; a build has them beside its code. */
const maps = import.meta.url.endsWith('.ts')
  ? new URL('./cmaps/', import.meta.resolve('pdfjs-dist/package.json'))
  : new URL('./cmaps/', import.meta.url)

/** Predefined character maps for Chinese, Japanese and Korean, which files do not embed. */
class CharacterMaps {
  async fetch({ kind, filename }: { readonly kind: string; readonly filename: string }): Promise<Uint8Array> {
    if (kind !== 'cMapUrl' || !/^[\w-]+\.bcmap$/.test(filename)) throw new Error(`There is no ${filename} here.`)
    return Uint8Array.from(await readFile(new URL(filename, maps)))
  }
}

/** Reads the text of a file with all active features off, as in the frame that shows PDF. */
export async function readPdf({ bytes, most, time }: PdfJob): Promise<PdfAnswer> {
  forgetBuffers()
  const task = getDocument({
    data: bytes,
    enableXfa: false,
    pdfBug: false,
    useWasm: false,
    useWorkerFetch: false,
    useSystemFonts: false,
    disableFontFace: true,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    BinaryDataFactory: CharacterMaps,
    // Names that only CharacterMaps understands.
    cMapUrl: 'bundled/',
    verbosity: VerbosityLevel.ERRORS,
  })
  try {
    return await textOf(await task.promise, most, performance.now() + time)
  } catch (error) {
    return { is: 'unread', why: error instanceof PasswordException ? 'locked' : 'broken' }
  } finally {
    await task.destroy().catch(() => {}) // The text has been read; the memory goes with the thread.
  }
}

async function textOf(pdf: PDFDocumentProxy, most: number, until: number): Promise<PdfAnswer> {
  const pages = pdf.numPages
  const { info } = await pdf.getMetadata().catch(() => ({ info: {} }))
  const encrypted = 'EncryptFilterName' in info && info.EncryptFilterName !== null
  let text = ''
  let read = 0
  let left = most
  for (let number = 1; number <= Math.min(pages, MAX_PAGES) && left > 0 && performance.now() < until; number += 1) {
    const words = await pageText(pdf, number, left, until)
    left -= words.length
    text += `${number === 1 ? '' : '\n\n'}${words.trim()}`
    read = number
  }
  const cut = read < pages || left <= 0 || performance.now() >= until
  return { is: 'text', text: text.trim(), pages, read, cut, encrypted }
}

async function pageText(pdf: PDFDocumentProxy, number: number, most: number, until: number): Promise<string> {
  let text = ''
  try {
    const page = await pdf.getPage(number)
    const reader = page.streamTextContent({ includeMarkedContent: false }).getReader()
    while (text.length < most && performance.now() < until) {
      const { value, done } = await reader.read()
      if (done) break
      for (const item of value.items) text += `${item.str}${item.hasEOL ? '\n' : ''}`
    }
    // Stops the stream if it has not ended.
    await reader.cancel(new Error('enough')).catch(() => {})
    page.cleanup()
  } catch {
    // An unreadable page counts as empty.
  }
  return text.slice(0, most)
}
