interface FailureLineProps {
  readonly problem: string | undefined
  /** Where it is about more than the control above it. */
  readonly framed?: boolean
}

/** Why the last action failed; read aloud when it comes. */
export function FailureLine({ problem, framed = false }: FailureLineProps) {
  if (problem === undefined) return null
  return (
    <p className={framed ? 'ui-refusal' : 'ui-field-problem'} role="alert">
      {problem}
    </p>
  )
}
