import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { beginFrame, tellPage } from '../frames/frame-document.ts'
import type { FromPdfFrame, PdfFailure } from './messages.ts'
import { endWorkers, openPdf, PdfFailed, withTimeout } from './open-pdf.ts'
import './pdf.css'
import { Viewer } from './viewer.ts'

const tell = tellPage<FromPdfFrame>

async function open(bytes: ArrayBuffer): Promise<void> {
  const root = document.getElementById('root')
  if (!root) return
  try {
    const pdf = await openPdf(bytes)
    new Viewer(root, pdf, await firstSize(pdf), { onLink: (url) => tell({ is: 'link', url }), onFailed: fail })
    tell({ is: 'opened', pages: pdf.numPages })
  } catch (error) {
    fail(error instanceof PdfFailed ? error.why : 'broken')
  }
}

async function firstSize(pdf: PDFDocumentProxy) {
  const { width, height } = (await withTimeout(pdf.getPage(1))).getViewport({ scale: 1 })
  return { width, height }
}

function fail(why: PdfFailure): void {
  endWorkers()
  tell({ is: 'failed', why })
}

beginFrame<ArrayBuffer>({ open: (bytes) => void open(bytes) })
