import { type ReactNode, type RefObject, useEffect, useRef } from 'react'

/** Focuses a heading when the element that had the focus was removed. */
export function useLostFocus<Heading extends HTMLElement>(of?: unknown): RefObject<Heading | null> {
  const heading = useRef<Heading>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when the screen shows something else
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [of])
  return heading
}

interface ScreenTitleProps {
  /** Others' words, which may run from right to left. */
  readonly dir?: 'auto'
  /** Identifies what the screen shows. A change may move the focus to the heading again. */
  readonly of?: unknown
  readonly children: ReactNode
}

export function ScreenTitle({ of, ...heading }: ScreenTitleProps) {
  return <h1 {...heading} ref={useLostFocus<HTMLHeadingElement>(of)} tabIndex={-1} className="screen-title" />
}
