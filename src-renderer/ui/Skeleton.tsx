import { useEffect, useState } from 'react'
import { systemClock } from '../../src-shared/base/clock.ts'

const SKELETON_AFTER = 150
const SAY_SO_AFTER = 2000

export interface SkeletonProps {
  /** Names the loading content: "Loading tools". */
  readonly label: string
  readonly lines?: number
}

/** Grey lines, shown when loading takes longer than 150 ms; after 2 s the label is shown, too. */
export function Skeleton({ label, lines = 4 }: SkeletonProps) {
  const [stage, setStage] = useState<'nothing' | 'lines' | 'words'>('nothing')
  useEffect(() => {
    const undo = [
      systemClock.after(SKELETON_AFTER, () => setStage('lines')),
      systemClock.after(SAY_SO_AFTER, () => setStage('words')),
    ]
    return () => {
      for (const stop of undo) stop()
    }
  }, [])
  if (stage === 'nothing') return null
  return (
    <div className="ui-skeleton column" role="status">
      <span className={stage === 'words' ? 'meta' : 'unseen'}>{label} …</span>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
        <span className="ui-skeleton-line" key={line} aria-hidden="true" />
      ))}
    </div>
  )
}
