export interface StatusDotProps {
  readonly tone: 'ok' | 'wait' | 'fail' | 'idle'
  /** Stands alone in its own element. */
  readonly word: string
}

/** A shape and a word; never colour alone. */
export function StatusDot({ tone, word }: StatusDotProps) {
  return (
    <span className={`ui-status ui-status-${tone}`}>
      <span className="ui-status-dot" aria-hidden="true" />
      <span>{word}</span>
    </span>
  )
}
