import type { ToolHints } from '../../src-shared/contract/servers.ts'
import { hintBadges } from './power-words.ts'

/** What a server claims of its tool, and that nobody checked it. */
export function ToolHintsList({ hints }: { readonly hints: ToolHints }) {
  return (
    <p className="meta">
      Server’s hints (not verified):{' '}
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
