import { serveJobs } from '../threads/serve-jobs.ts'
import { boundBuffers } from './bounded-buffers.ts'
import type { DocumentAnswer, DocumentJob } from './document-protocol.ts'
import { pageText } from './page-text.ts'

boundBuffers()
// Hides Node from pdf.js, which would load a native canvas that text does not need.
Object.defineProperty(process, Symbol.toStringTag, { value: 'thread' })
serveJobs<DocumentJob, DocumentAnswer>(async (job) => {
  if ('html' in job) return pageText(job.html)
  const { readPdf } = await import('./read-pdf.ts')
  return readPdf(job)
})
