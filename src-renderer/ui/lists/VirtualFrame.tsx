import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useRef } from 'react'

interface VirtualFrameProps {
  readonly label: string
  readonly className: string
  readonly count: number
  /** Expected height in pixels; real heights are measured. */
  readonly heightOf: (index: number) => number
  readonly render: (index: number) => ReactNode
}

/** A scrolling frame that renders only the visible parts of its content. Not a list: its parts mean nothing alone. */
export function VirtualFrame({ label, className, count, heightOf, render }: VirtualFrameProps) {
  const scroller = useRef<HTMLElement>(null)
  const parts = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: heightOf,
    overscan: 1,
  })
  return (
    <section
      className={className}
      aria-label={label}
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling frame must be reachable by keyboard
      tabIndex={0}
    >
      <div className="ui-virtual-all" style={{ height: parts.getTotalSize() }}>
        {parts.getVirtualItems().map((part) => (
          <div
            key={part.key}
            data-index={part.index}
            ref={parts.measureElement}
            className="ui-virtual-row"
            style={{ transform: `translateY(${part.start}px)` }}
          >
            {render(part.index)}
          </div>
        ))}
      </div>
    </section>
  )
}
