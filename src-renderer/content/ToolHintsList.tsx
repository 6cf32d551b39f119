import type { ToolHints } from '../../src-shared/contract/servers.ts'
import { hintBadges } from './power-labels.ts'

/** The annotations that a server gives its tool, marked as unverified. */
export function ToolHintsList({ hints }: { readonly hints: ToolHints }) {
  return (
    <p className="meta">
      Server’s hints (not verified), else the worst:{' '}
      <span className="chips">
        {hintBadges(hints).map(({ word, chip }) => (
          <span className={chip} key={word}>
            {word}
          </span>
        ))}
      </span>
    </p>
  )
}
