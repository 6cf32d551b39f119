import { useCallback, useEffect, useState } from 'react'
import { assertNever } from '../../../src-shared/base/json.ts'
import type { BlobRef } from '../../../src-shared/contract/blobs.ts'
import type { FrameTheme } from '../../frames/messages.ts'
import { fromPdfFrame, type PdfFailure } from '../../pdf/messages.ts'
import { ask } from '../../state/ask.ts'
import { useHost } from '../../state/host-store.ts'
import { askToOpenLink } from '../../state/view-store.ts'
import { bytes } from '../../ui/amounts.ts'
import { InertFrame } from '../isolation/InertFrame.tsx'

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
      return 'This PDF needs a password. Save it as a file to open it in another program.'
    case 'slow':
      return 'This PDF takes too long to show. Save it as a file to try another program.'
    case 'silent':
      return 'The viewer stopped responding and was closed. Save the PDF as a file to try another program.'
    case 'large':
      return `This PDF is too large to show here: ${bytes(blob.bytes)} of at most ${bytes(MAX_PDF_SIZE)}. Save it as a file to read it.`
    case 'unread':
      return 'The file could not be read. Close this and try again.'
    default:
      return assertNever(why)
  }
}

type FrameFailure = PdfFailure | 'silent'

interface PdfFrameProps {
  readonly bytes: ArrayBuffer
  readonly theme: FrameTheme
  /** The accessible name. */
  readonly title: string
  readonly onFailed: (why: FrameFailure) => void
}

/** A stranger's PDF in an isolated frame. */
function PdfFrame({ bytes, theme, title, onFailed }: PdfFrameProps) {
  return (
    <InertFrame
      path="pdf/index.html"
      className="content-pdf framed"
      title={title}
      theme={theme}
      content={bytes}
      read={fromPdfFrame}
      onSaid={(said) => {
        if (said.is === 'failed') onFailed(said.why)
        // A click in the frame activates the page, too; without a click a file cannot cause a question.
        else if (said.is === 'link' && navigator.userActivation.isActive) askToOpenLink(said.url)
      }}
      onSilent={() => onFailed('silent')}
    />
  )
}

/** The frame holds a whole file in memory, so larger ones are only saved. */
const MAX_PDF_SIZE = 32 * 1024 * 1024

type PdfBytes =
  | { readonly is: 'loading' /** 0 to 1. */; readonly share: number }
  | { readonly is: 'here'; readonly bytes: ArrayBuffer }
  | { readonly is: 'failed' }

/** All bytes of a blob of at most MAX_PDF_SIZE, read by its link. */
function usePdfBytes(blob: BlobRef): PdfBytes {
  const [state, setState] = useState<PdfBytes>({ is: 'loading', share: 0 })
  useEffect(() => {
    const giveUp = new AbortController()
    const read = async () => {
      const { url } = await ask('blob.link', { blob }, giveUp.signal)
      const response = await fetch(url, { signal: giveUp.signal })
      if (!response.ok || !response.body) throw new Error(`The blob answered ${response.status}`)
      const bytes = new Uint8Array(blob.bytes)
      let at = 0
      for (const reader = response.body.getReader(); ; ) {
        const { done, value } = await reader.read()
        if (done) break
        // Throws when the response is longer than announced.
        bytes.set(value, at)
        at += value.byteLength
        setState({ is: 'loading', share: at / bytes.byteLength })
      }
      setState({ is: 'here', bytes: bytes.buffer })
    }
    setState({ is: 'loading', share: 0 })
    read().catch(() => giveUp.signal.aborted || setState({ is: 'failed' }))
    return () => giveUp.abort()
  }, [blob])
  return state
}
