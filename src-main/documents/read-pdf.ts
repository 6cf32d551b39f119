import { readFile } from 'node:fs/promises'
// Its worker, in this thread: it leaves itself where the other half looks for it.
import 'pdfjs-dist/legacy/build/pdf.worker.mjs'
import { getDocument, PasswordException, type PDFDocumentProxy, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { forgetBuffers } from './bounded-buffers.ts'
import type { PdfAnswer, PdfJob } from './pdf-protocol.ts'

/** Pages beyond these are not read. */
const MAX_PAGES = 2000

/** A build has the character maps beside its code. */
const maps = import.meta.url.endsWith('.ts')
  ? new URL('./cmaps/', import.meta.resolve('pdfjs-dist/package.json'))
  : new URL('./cmaps/', import.meta.url)

/** Character maps that files refer to without bringing them, for Chinese, Japanese and Korean. */
class CharacterMaps {
  async fetch({ kind, filename }: { readonly kind: string; readonly filename: string }): Promise<Uint8Array> {
    if (kind !== 'cMapUrl' || !/^[\w-]+\.bcmap$/.test(filename)) throw new Error(`There is no ${filename} here.`)
    return Uint8Array.from(await readFile(new URL(filename, maps)))
  }
}

/** Opens a file with everything switched off that acts, as the frame that shows files does, and takes its words. */
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
    return await wordsOf(await task.promise, most, performance.now() + time)
  } catch (error) {
    return { is: 'unread', why: error instanceof PasswordException ? 'locked' : 'broken' }
  } finally {
    await task.destroy().catch(() => {}) // The text has been read; the memory goes with the thread.
  }
}

async function wordsOf(pdf: PDFDocumentProxy, most: number, until: number): Promise<PdfAnswer> {
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

/** A page that cannot be read has no words. */
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
    // Stops it where it is, if it is not through.
    await reader.cancel(new Error('enough')).catch(() => {})
    page.cleanup()
  } catch {
    // As good as empty.
  }
  return text.slice(0, most)
}
