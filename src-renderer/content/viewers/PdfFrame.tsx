import type { FrameTheme } from '../../frames/messages.ts'
import { fromPdfFrame, type PdfFailure } from '../../pdf/messages.ts'
import { askToOpenLink } from '../../state/view-store.ts'
import { InertFrame } from '../isolation/InertFrame.tsx'

export type FrameFailure = PdfFailure | 'silent'

interface PdfFrameProps {
  readonly bytes: ArrayBuffer
  readonly theme: FrameTheme
  /** The accessible name. */
  readonly title: string
  readonly onFailed: (why: FrameFailure) => void
}

/** A stranger's PDF in an isolated frame. */
export function PdfFrame({ bytes, theme, title, onFailed }: PdfFrameProps) {
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
