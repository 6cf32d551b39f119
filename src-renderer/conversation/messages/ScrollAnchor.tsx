import { Component, type ReactNode } from 'react'
import type { ReadingPlace, ScrollPlace } from './use-reading-place.ts'

interface ScrollAnchorProps extends Pick<ReadingPlace, 'take' | 'keep'> {
  /** Identifies the rendered messages. */
  readonly span: string
  readonly children: ReactNode
}

/** Keeps the reading place when other messages are rendered. Only classes have `getSnapshotBeforeUpdate`. */
export class ScrollAnchor extends Component<ScrollAnchorProps> {
  override getSnapshotBeforeUpdate(before: ScrollAnchorProps): { readonly place: ScrollPlace | undefined } | null {
    return before.span === this.props.span ? null : { place: this.props.take() }
  }

  override componentDidUpdate(
    _before: ScrollAnchorProps,
    _state: unknown,
    taken: { readonly place: ScrollPlace | undefined } | null,
  ): void {
    if (taken) this.props.keep(taken.place)
  }

  override render(): ReactNode {
    return this.props.children
  }
}
