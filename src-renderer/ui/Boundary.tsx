import { Component, type ReactNode } from 'react'
import { Button } from './Button.tsx'
import { PartMissing } from './on-demand.tsx'
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
export class Boundary extends Component<BoundaryProps, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error: error ?? new Error('unknown') }
  }

  /** Files of a replaced app come with its new page. A page is left for it only where something answers. */
  async #tryAgain(): Promise<void> {
    if (this.state.error instanceof PartMissing) {
      const answer = await fetch(location.pathname, { method: 'HEAD' }).catch((error: unknown) => error)
      if (answer instanceof Response) return location.reload()
    }
    this.setState({ error: undefined })
  }

  override render(): ReactNode {
    const { what, text: given, children } = this.props
    const { error } = this.state
    if (error === undefined) return children
    const text = typeof given === 'function' ? given() : given
    return (
      <div className="boundary column" role="alert">
        <p>
          {what} could not be shown. {error instanceof PartMissing ? 'Parley was updated, or has closed.' : null}
        </p>
        {text ? (
          <div className="content-plain" dir="auto">
            <VisibleText text={text.slice(0, SHOWN)} />
          </div>
        ) : null}
        <Button size="small" onClick={() => void this.#tryAgain()}>
          Try again
        </Button>
      </div>
    )
  }
}
