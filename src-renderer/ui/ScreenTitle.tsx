import { type ReactNode, useEffect, useRef } from 'react'

interface ScreenTitleProps {
  /** Others' words, which may run from right to left. */
  readonly dir?: 'auto'
  /** Identifies what the screen shows. A change may move the focus to the heading again. */
  readonly of?: unknown
  readonly children: ReactNode
}

/** The heading of a screen. It takes the focus where nothing has it: what led here, or what was answered, is gone. */
export function ScreenTitle({ of, ...heading }: ScreenTitleProps) {
  const title = useRef<HTMLHeadingElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when the screen shows something else
  useEffect(() => {
    if (document.activeElement === document.body) title.current?.focus({ preventScroll: true })
  }, [of])
  return <h1 {...heading} ref={title} tabIndex={-1} className="screen-title" />
}
