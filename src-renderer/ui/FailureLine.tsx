interface FailureLineProps {
  readonly problem: string | undefined
  /** Set for a problem of more than the control above. */
  readonly framed?: boolean
}

/** The reason why an action failed; screen readers read it when it appears. */
export function FailureLine({ problem, framed = false }: FailureLineProps) {
  if (problem === undefined) return null
  return (
    <p className={framed ? 'ui-refusal' : 'ui-field-problem'} role="alert">
      {problem}
    </p>
  )
}
