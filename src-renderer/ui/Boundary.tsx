import { Component, type ReactNode } from 'react'
import { Button } from './Button.tsx'
import { VisibleText } from './VisibleText.tsx'

/** Characters of the plain text that are shown in place of what failed. */
const SHOWN = 20_000

interface BoundaryProps {
  /** The content's name, as the start of a sentence: "This message". */
  readonly what: string
  /** The text shown instead; a function where it is costly to build. */
  readonly text?: string | (() => string) | undefined
  readonly children: ReactNode
}

/** Contains a rendering error: the content's text is shown instead, with a way to try again. */
export class Boundary extends Component<BoundaryProps, { readonly failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    const { what, text: given, children } = this.props
    if (!this.state.failed) return children
    const text = typeof given === 'function' ? given() : given
    return (
      <div className="boundary column-2" role="alert">
        <p>{what} could not be shown.</p>
        {text ? (
          <div className="content-plain" dir="auto">
            <VisibleText text={text.slice(0, SHOWN)} />
          </div>
        ) : null}
        <Button size="small" onClick={() => this.setState({ failed: false })}>
          Try again
        </Button>
      </div>
    )
  }
}
