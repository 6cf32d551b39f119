import { type ReactNode, type Ref, useState } from 'react'

interface DisclosureProps {
  readonly summary: ReactNode
  /** An entry of a tree or a list: it keeps the type of its text and is pressed anywhere. */
  readonly row?: boolean
  /** Opens or folds it when this changes; between changes it is the person's. */
  readonly open?: boolean | undefined
  readonly className?: string
  readonly ref?: Ref<HTMLDetailsElement>
  /** A function for content that is rendered only while it is open. */
  readonly children: ReactNode | (() => ReactNode)
}

/** A line that unfolds what belongs to it. */
export function Disclosure({ summary, row = false, open, className = '', ref, children }: DisclosureProps) {
  const [shown, setShown] = useState(open === true)
  return (
    <details
      ref={ref}
      className={`ui-disclosure${row ? ' ui-disclosure-row' : ''} ${className}`}
      open={open}
      onToggle={(event) => setShown(event.currentTarget.open)}
    >
      <summary>
        <span className="grow">{summary}</span>
      </summary>
      {typeof children !== 'function' ? children : shown ? children() : null}
    </details>
  )
}
