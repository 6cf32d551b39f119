import { useMemo } from 'react'
import { VisibleText } from '../../ui/VisibleText.tsx'
import '../text/content.css'
import { type DiffLine, lineDiff } from './line-diff.ts'

const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { same: '  ', removed: '− ', added: '+ ' }

/** The difference between two texts, each line with a sign and a colour. */
export function DiffView({ before, now }: { readonly before: string; readonly now: string }) {
  const lines = useMemo(() => lineDiff(before, now), [before, now])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling text must be reachable by keyboard
    <pre className="content-diff framed" tabIndex={0}>
      {lines.map((line, number) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a finished comparison never move
        <span key={number} className={`content-diff-line content-diff-${line.kind}`}>
          {SIGNS[line.kind]}
          <VisibleText text={line.text} />
        </span>
      ))}
    </pre>
  )
}
