import {
  GlobalWorkerOptions,
  getDocument,
  PasswordException,
  type PDFDocumentProxy,
  VerbosityLevel,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import { systemClock } from '../../src-shared/base/clock.ts'
import { countdown } from '../../src-shared/base/countdown.ts'
import { BundledFiles } from './bundled-files.ts'
import CoreWorker from './core-worker.ts?worker&inline'
import type { PdfFailure } from './messages.ts'
import PaintWorker from './paint-worker.ts?worker&inline'

/** Milliseconds for each step of opening or drawing. */
const TIMEOUT = 20_000
const MAX_IMAGE_PIXELS = 64 * 1024 * 1024
const MAX_CANVAS_BYTES = 128 * 1024 * 1024

export class PdfFailed extends Error {
  readonly why: PdfFailure

  constructor(why: PdfFailure) {
    super(`The PDF failed: ${why}`)
    this.why = why
  }
}

/** Opens a file without scripts, XFA forms or fetching. Rejects with PdfFailed. */
export async function openPdf(bytes: ArrayBuffer): Promise<PDFDocumentProxy> {
  GlobalWorkerOptions.workerPort = new CoreWorker()
  GlobalWorkerOptions.rendererPorts = [new PaintWorker()]
  const task = getDocument({
    data: new Uint8Array(bytes),
    enableXfa: false,
    pdfBug: false,
    // WebAssembly would need a hole in the content policy; its decoders come as JavaScript.
    useWasm: false,
    useWorkerFetch: false,
    // System fonts would be looked up by address, and a file could find out which are installed.
    useSystemFonts: false,
    BinaryDataFactory: BundledFiles,
    // Placeholders that BundledFiles resolves.
    cMapUrl: 'bundled/',
    standardFontDataUrl: 'bundled/',
    wasmUrl: 'bundled/',
    maxImageSize: MAX_IMAGE_PIXELS,
    canvasMaxAreaInBytes: MAX_CANVAS_BYTES,
    verbosity: VerbosityLevel.ERRORS,
  })
  try {
    return await withTimeout(task.promise)
  } catch (error) {
    endWorkers()
    if (error instanceof PdfFailed) throw error
    throw new PdfFailed(error instanceof PasswordException ? 'locked' : 'broken')
  }
}

/** Ends the workers. The document cannot be used afterwards. */
export function endWorkers(): void {
  GlobalWorkerOptions.workerPort?.terminate()
  for (const worker of GlobalWorkerOptions.rendererPorts) worker.terminate()
}

/** Rejects with PdfFailed after TIMEOUT. */
export function withTimeout<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = countdown(systemClock, TIMEOUT, () => reject(new PdfFailed('slow')))
    work.then(resolve, reject).finally(cancel)
  })
}
