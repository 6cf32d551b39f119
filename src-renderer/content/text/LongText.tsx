import { useState } from 'react'
import type { BoundedText } from '../../../src-shared/contract/blobs.ts'
import { bytes, counted } from '../../ui/amounts.ts'
import { Button } from '../../ui/Button.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { firstLines, hides } from './first-lines.ts'

const WholeText = onDemand(
  () => import('./WholeText.tsx').then((module) => module.WholeText),
  () => <Skeleton label="Reading" />,
)

/** Longer texts, in characters, are built piece by piece where visible. */
const LONG = 64 * 1024

/**
 * Foreign text in its own typeface: the first 20 lines are shown, the rest is folded with its size unless `open`. A rest that was
 * not sent is read when it is unfolded.
 */
export function LongText({ content, open = false }: { readonly content: BoundedText; readonly open?: boolean }) {
  const [unfolded, setUnfolded] = useState(open)
  const { text, whole } = content
  const head = firstLines(text)
  const folds = hides(text, head) || whole !== undefined
  const long = whole !== undefined || text.length > LONG
  const size = long ? bytes(whole?.bytes ?? text.length) : `${counted(text.split('\n').length, 'line')}, ${bytes(text.length)}`
  return (
    <div className="content-text">
      {unfolded && long ? (
        <WholeText content={content} />
      ) : (
        <pre tabIndex={unfolded ? 0 : undefined} className={unfolded ? 'content-pre content-pre-open' : 'content-pre'}>
          <VisibleText text={unfolded ? text : head} />
          {folds && !unfolded ? ' …' : null}
        </pre>
      )}
      {folds ? (
        <div className="content-fold actions">
          {unfolded ? (
            <Button size="small" variant="quiet" onClick={() => setUnfolded(false)}>
              Fold
            </Button>
          ) : (
            <Button size="small" onClick={() => setUnfolded(true)}>
              Show all ({size})
            </Button>
          )}
        </div>
      ) : null}
    </div>
  )
}
