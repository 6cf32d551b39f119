export interface StatusDotProps {
  readonly tone: 'ok' | 'wait' | 'fail' | 'idle'
  readonly word: string
}

/** Shape and word tell the state, never colour alone. */
export function StatusDot({ tone, word }: StatusDotProps) {
  return (
    <span className={`ui-status ui-status-${tone}`}>
      <span className="ui-status-dot" aria-hidden="true" />
      <span>{word}</span>
    </span>
  )
}
