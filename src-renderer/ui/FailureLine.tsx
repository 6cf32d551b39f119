/** Why the last action failed; read aloud when it comes. */
export function FailureLine({ problem }: { readonly problem: string | undefined }) {
  if (problem === undefined) return null
  return (
    <p className="ui-field-problem" role="alert">
      {problem}
    </p>
  )
}
