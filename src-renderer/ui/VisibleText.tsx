import { createElement, memo } from 'react'
import { visibleParts } from './visible-text.ts'

interface VisibleTextProps {
  readonly text: string
  readonly as?: 'strong' | 'code' | 'span' | 'p' | 'div' | 'dd' | 'dt' | 'h3'
  readonly className?: string
}

/** Text from outside: invisible characters are shown, and bidirectional control cannot affect its neighbours. */
export const VisibleText = memo(function VisibleText({ text, as, className }: VisibleTextProps) {
  let at = 0
  const shown = (
    <bdi>
      {visibleParts(text).map((part) => {
        const key = at
        at += typeof part === 'string' ? part.length : part.char.length
        if (typeof part === 'string') return <span key={key}>{part}</span>
        return (
          <span key={key} className="ui-mark" title={part.name}>
            {part.code}
          </span>
        )
      })}
    </bdi>
  )
  return as ? createElement(as, { className }, shown) : shown
})
