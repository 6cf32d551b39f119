import { serveJobs } from '../threads/serve-jobs.ts'
import { boundBuffers } from './bounded-buffers.ts'
import type { PdfAnswer, PdfJob } from './pdf-protocol.ts'

boundBuffers()
// In what it takes for Node, pdf.js would load a native canvas, which is not needed for text.
Object.defineProperty(process, Symbol.toStringTag, { value: 'thread' })
const { readPdf } = await import('./read-pdf.ts')

serveJobs<PdfJob, PdfAnswer>(readPdf)
