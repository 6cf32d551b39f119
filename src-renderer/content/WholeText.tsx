import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import type { BoundedText } from '../../src-shared/contract/blobs.ts'
import { Button } from '../ui/Button.tsx'
import { bytes } from '../ui/sizes.ts'
import { VisibleText } from '../ui/VisibleText.tsx'
import { useTextPieces } from './use-text-pieces.ts'
import './whole-text.css'

const LINE_HEIGHT = 20

/** All of a long text in a frame that scrolls, however long it is: only the pieces in sight are built. */
export function WholeText({ content }: { readonly content: BoundedText }) {
  const { pieces, share, problem, again } = useTextPieces(content)
  const scroller = useRef<HTMLElement>(null)
  const rows = useVirtualizer({
    count: pieces.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (pieces[index]?.lines ?? 1) * LINE_HEIGHT,
    overscan: 1,
  })
  const size = content.whole?.bytes ?? content.text.length
  return (
    <>
      <section
        className="content-pre-open content-whole"
        aria-label="Whole text"
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling text must be reachable by keyboard
        tabIndex={0}
      >
        <div className="content-whole-all" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map((row) => {
            const piece = pieces[row.index]
            return piece === undefined ? null : (
              <pre
                key={row.key}
                data-index={row.index}
                ref={rows.measureElement}
                className={piece.cut ? 'content-whole-piece content-whole-cut' : 'content-whole-piece'}
                style={{ transform: `translateY(${row.start}px)` }}
              >
                <VisibleText text={piece.text === '' ? '\n' : piece.text} />
              </pre>
            )
          })}
        </div>
      </section>
      {share !== undefined && problem === undefined ? (
        <p className="meta content-whole-note">
          Reading … {Math.floor(share * 100)} % of {bytes(size)}
        </p>
      ) : null}
      {problem === 'failed' ? (
        <p className="content-whole-note" role="alert">
          The rest of this text could not be read.{' '}
          <Button size="small" onClick={again}>
            Try again
          </Button>
        </p>
      ) : null}
      {problem === 'too-long' ? <p className="meta content-whole-note">What comes after is too long to be shown here.</p> : null}
    </>
  )
}
