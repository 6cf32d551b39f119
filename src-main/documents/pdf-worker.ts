import { serveJobs } from '../threads/serve-jobs.ts'
import { boundBuffers } from './bounded-buffers.ts'
import type { PdfAnswer, PdfJob } from './pdf-protocol.ts'

boundBuffers()
// Hides Node from pdf.js, which would load a native canvas that text does not need.
Object.defineProperty(process, Symbol.toStringTag, { value: 'thread' })
const { readPdf } = await import('./read-pdf.ts')

serveJobs<PdfJob, PdfAnswer>(readPdf)
