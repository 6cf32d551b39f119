import type { BoundedText } from '../../../src-shared/contract/blobs.ts'
import { bytes } from '../../ui/amounts.ts'
import { Button } from '../../ui/Button.tsx'
import { VirtualFrame } from '../../ui/lists/VirtualFrame.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { useTextPieces } from './use-text-pieces.ts'
import './whole-text.css'

const LINE_HEIGHT = 20

/** A long text in a scrolling frame that renders only its visible pieces. */
export function WholeText({ content }: { readonly content: BoundedText }) {
  const { pieces, share, problem, reload } = useTextPieces(content)
  const size = content.whole?.bytes ?? content.text.length
  return (
    <>
      <VirtualFrame
        label="Whole text"
        className="content-pre-open content-whole"
        count={pieces.length}
        heightOf={(index) => (pieces[index]?.lines ?? 1) * LINE_HEIGHT}
        render={(index) => {
          const piece = pieces[index]
          return (
            <pre className={piece?.cut ? 'content-whole-piece content-whole-cut' : 'content-whole-piece'}>
              <VisibleText text={piece?.text || '\n'} />
            </pre>
          )
        }}
      />
      {share !== undefined && problem === undefined ? (
        <p className="meta content-whole-note">
          Reading … {Math.floor(share * 100)} % of {bytes(size)}
        </p>
      ) : null}
      {problem === 'failed' ? (
        <p className="content-whole-note" role="alert">
          The rest of this text could not be read.{' '}
          <Button size="small" onClick={reload}>
            Try again
          </Button>
        </p>
      ) : null}
      {problem === 'too-long' ? <p className="meta content-whole-note">The rest is too long to show here.</p> : null}
    </>
  )
}
