import { serveJobs } from '../threads/serve-jobs.ts'
import { boundBuffers } from './bounded-buffers.ts'
import { type PageText, pageText } from './page-text.ts'
import type { PageJob } from './page-texts.ts'
import type { PdfAnswer, PdfJob } from './pdf-protocol.ts'

boundBuffers()
// Hides Node from pdf.js, which would load a native canvas that text does not need.
Object.defineProperty(process, Symbol.toStringTag, { value: 'thread' })
serveJobs<PdfJob | PageJob, PdfAnswer | PageText>(async (job) => {
  if ('html' in job) return pageText(job.html)
  const { readPdf } = await import('./read-pdf.ts')
  return readPdf(job)
})
