import { Component, type ReactNode } from 'react'
import { Button } from './Button.tsx'
import { PartMissing } from './on-demand.tsx'
import { VisibleText } from './VisibleText.tsx'

/** Characters of the fallback text that are shown. */
const SHOWN = 20_000

interface BoundaryProps {
  /** Names the content at the start of a sentence: "This message". */
  readonly what: string
  /** The fallback text; a function if it is costly to build. */
  readonly text?: string | (() => string) | undefined
  readonly children: ReactNode
}

/** Contains a rendering error: shows the text of the content, and a way to try again. */
export class Boundary extends Component<BoundaryProps, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error: error ?? new Error('unknown') }
  }

  /** A replaced app needs its new page. The page is reloaded only if the app answers. */
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
          <div className="pre-wrap" dir="auto">
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
