import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { FromPdfFrame, PdfFailure, PdfTheme, ToPdfFrame } from './messages.ts'
import { endWorkers, openPdf, PdfFailed, withPatience } from './open-pdf.ts'
import './pdf.css'
import { Viewer } from './viewer.ts'

// The document of the frame that shows a PDF. It has no origin, reaches nothing but its parent, and holds one file in its life.

/** Whoever embeds us sees no more than it gave: no target is named. */
const tell = (message: FromPdfFrame) => parent.postMessage(message, '*')

function setTheme(theme: PdfTheme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

let opening = false

async function open(bytes: ArrayBuffer): Promise<void> {
  if (opening) return
  opening = true
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
  const { width, height } = (await withPatience(pdf.getPage(1))).getViewport({ scale: 1 })
  return { width, height }
}

function fail(why: PdfFailure): void {
  endWorkers()
  tell({ is: 'failed', why })
}

addEventListener('message', (event) => {
  if (event.source !== parent) return
  // Our own page is the only one that may embed this document.
  const message = event.data as ToPdfFrame
  switch (message.is) {
    case 'open':
      setTheme(message.theme)
      void open(message.bytes)
      return
    case 'theme':
      return setTheme(message.theme)
    case 'ping':
      return tell({ is: 'pong' })
  }
})

addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !event.defaultPrevented) tell({ is: 'leave' })
})

tell({ is: 'ready' })
