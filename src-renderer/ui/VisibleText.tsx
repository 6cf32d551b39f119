import { memo } from 'react'
import { visibleParts } from './visible-text.ts'

/** Text from outside with everything invisible made visible, isolated so that it cannot turn its neighbours around. */
export const VisibleText = memo(function VisibleText({ text }: { readonly text: string }) {
  let at = 0
  return (
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
})
