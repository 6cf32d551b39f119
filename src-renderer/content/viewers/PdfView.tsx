import { useCallback, useState } from 'react'
import { assertNever } from '../../../src-shared/base/json.ts'
import type { BlobRef } from '../../../src-shared/contract/blobs.ts'
import { useHost } from '../../state/host-store.ts'
import { bytes } from '../../ui/amounts.ts'
import { type FrameFailure, PdfFrame } from './PdfFrame.tsx'
import { MAX_PDF_SIZE, usePdfBytes } from './use-pdf-bytes.ts'

interface PdfViewProps {
  readonly blob: BlobRef
  readonly name: string
}

/** A PDF, or why it cannot be shown. It stands below a button that saves the file. */
export function PdfView({ blob, name }: PdfViewProps) {
  if (blob.bytes > MAX_PDF_SIZE) return <NotShown why="large" blob={blob} />
  // New content gets a new viewer; the same content, read again, keeps its place.
  return <Loaded key={blob.blob} blob={blob} name={name} />
}

function Loaded({ blob: given, name }: PdfViewProps) {
  const [blob] = useState(given)
  const loaded = usePdfBytes(blob)
  const theme = useHost((mirror) => mirror.host.settings.theme)
  const [why, setWhy] = useState<FrameFailure>()
  const onFailed = useCallback((failure: FrameFailure) => setWhy(failure), [])
  if (why) return <NotShown why={why} blob={blob} />
  if (loaded.is === 'failed') return <NotShown why="unread" blob={blob} />
  if (loaded.is === 'loading') {
    return (
      <p className="content-placeholder">
        <progress aria-label="Loading the PDF" value={loaded.share} max={1} />
      </p>
    )
  }
  return <PdfFrame bytes={loaded.bytes} theme={theme} title={`PDF: ${name}`} onFailed={onFailed} />
}

type Why = FrameFailure | 'large' | 'unread'

function NotShown({ why, blob }: { readonly why: Why; readonly blob: BlobRef }) {
  return (
    <p className="content-placeholder" role="alert">
      {sentence(why, blob)}
    </p>
  )
}

function sentence(why: Why, blob: BlobRef): string {
  switch (why) {
    case 'broken':
      return 'This PDF cannot be shown: it is damaged, or not a PDF. Save it as a file to try another program.'
    case 'locked':
      return 'This PDF is locked with a password. Save it as a file and open it in a program that asks for one.'
    case 'slow':
      return 'This PDF takes too long to show. Save it as a file to try another program.'
    case 'silent':
      return 'This PDF kept its viewer too busy, so the viewer was closed. Save it as a file to try another program.'
    case 'large':
      return `This PDF is too large to show here: ${bytes(blob.bytes)} of at most ${bytes(MAX_PDF_SIZE)}. Save it as a file to read it.`
    case 'unread':
      return 'The file could not be read. Close this and try again.'
    default:
      return assertNever(why)
  }
}
