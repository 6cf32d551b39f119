import { useState } from 'react'
import type { BoundedText } from '../../src-shared/contract/blobs.ts'
import { Button } from '../ui/Button.tsx'
import { bytes, counted } from '../ui/sizes.ts'
import { VisibleText } from '../ui/VisibleText.tsx'
import { useContentPowers } from './content-powers.ts'
import { headOf } from './head-of.ts'

/** Foreign text in its own face: up to 20 lines open, the rest folded with its size; what did not travel is fetched on demand. */
export function LongText({ content }: { readonly content: BoundedText }) {
  const powers = useContentPowers()
  const [unfolded, setUnfolded] = useState(false)
  const [fetched, setFetched] = useState<{ text: string; next: number | undefined }>()
  const [problem, setProblem] = useState('')
  const { text, whole } = content
  const head = headOf(text)
  const folds = head.length < text.length || whole !== undefined
  const size = whole ? bytes(whole.bytes) : `${counted(text.split('\n').length, 'line')}, ${bytes(text.length)}`

  const fetchMore = async () => {
    if (!whole) return
    setProblem('')
    try {
      const page = await powers.readText(whole.blob, fetched?.next ?? 0)
      setFetched({ text: (fetched?.text ?? '') + page.text, next: page.next })
    } catch {
      setProblem('The rest of this text could not be read. Try again.')
    }
  }
  const unfold = () => {
    setUnfolded(true)
    if (whole && !fetched) void fetchMore()
  }
  const more = unfolded && fetched?.next !== undefined
  return (
    <div className="content-text">
      <pre tabIndex={unfolded ? 0 : undefined} className={unfolded ? 'content-pre content-pre-open' : 'content-pre'}>
        <VisibleText text={unfolded ? (fetched?.text ?? text) : head} />
        {folds && !unfolded ? ' …' : null}
      </pre>
      {folds || problem ? (
        <div className="content-fold">
          {folds && !unfolded ? (
            <Button size="small" onClick={unfold}>
              Show all ({size})
            </Button>
          ) : null}
          {more ? (
            <Button size="small" onClick={() => void fetchMore()}>
              Show more of {size}
            </Button>
          ) : null}
          {unfolded ? (
            <Button size="small" variant="quiet" onClick={() => setUnfolded(false)}>
              Fold
            </Button>
          ) : null}
          {problem ? <span role="alert">{problem}</span> : null}
        </div>
      ) : null}
    </div>
  )
}
