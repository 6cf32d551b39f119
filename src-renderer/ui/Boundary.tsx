import { Component, type ReactNode } from 'react'
import { Button } from './Button.tsx'
import { VisibleText } from './VisibleText.tsx'

/** Characters of the plain text that are shown in place of what failed. */
const SHOWN = 20_000

interface BoundaryProps {
  /** What stands here, as a sentence begins: "This message". */
  readonly what: string
  /** What can be read in its place; a function where it takes work to put together. */
  readonly text?: string | (() => string) | undefined
  readonly children: ReactNode
}

/** What cannot be shown takes nothing else along: its words stand in its place, with a way to try again. */
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
