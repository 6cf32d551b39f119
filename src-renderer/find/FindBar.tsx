import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { closeFind, useView } from '../state/view-store.ts'
import { IconButton } from '../ui/Button.tsx'
import { ChevronDownIcon, ChevronUpIcon, CloseIcon } from '../ui/icons.tsx'
import { escapeRegExp, findText, MAX_FOUND } from './find-text.ts'

/** Finds text on the screen. Only the desktop needs it: a browser has its own search. */
export function FindBar() {
  const opened = useView((view) => view.finding)
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  const matches = useMatches(text)
  const current = matches.length === 0 ? 0 : Math.min(at, matches.length - 1)
  useReturnFocus()
  useEffect(() => {
    if (opened > 0) field.current?.select()
  }, [opened])
  useHighlights(matches, current)
  const step = (by: number) => {
    if (matches.length === 0) return
    const to = (current + by + matches.length) % matches.length
    setAt(to)
    show(matches[to])
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') closeFind()
    else if (event.key === 'Enter') step(event.shiftKey ? -1 : 1)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <search className="app-find row" aria-label="On this screen">
      <input
        ref={field}
        type="search"
        className="ui-input"
        aria-label="Find"
        placeholder="Find on this screen"
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <span className="meta app-find-count" role="status">
        {text === '' ? '' : matchCount(current, matches.length)}
      </span>
      <IconButton label="Previous match" icon={<ChevronUpIcon />} onClick={() => step(-1)} />
      <IconButton label="Next match" icon={<ChevronDownIcon />} onClick={() => step(1)} />
      <IconButton label="Close the search" icon={<CloseIcon />} onClick={closeFind} />
    </search>
  )
}

function matchCount(current: number, count: number): string {
  if (count === 0) return 'Not found'
  return `${current + 1} of ${count}${count === MAX_FOUND ? ' or more' : ''}`
}

/** Searches again when the screen changes, once per frame at most. A changed text shows its first match. */
function useMatches(text: string): readonly Range[] {
  const [matches, setMatches] = useState<readonly Range[]>([])
  useEffect(() => {
    const screen = document.querySelector('main')
    if (!screen) return
    let frame = 0
    const look = () => {
      frame = 0
      const found = text === '' ? [] : findText(screen, new RegExp(escapeRegExp(text), 'giu'))
      setMatches(found)
      return found
    }
    show(look()[0])
    const observer = new MutationObserver(() => {
      frame ||= requestAnimationFrame(look)
    })
    observer.observe(screen, { childList: true, characterData: true, subtree: true, attributeFilter: ['open', 'hidden'] })
    return () => {
      observer.disconnect()
      cancelAnimationFrame(frame)
    }
  }, [text])
  return matches
}

function useHighlights(matches: readonly Range[], current: number): void {
  useEffect(() => {
    const marked = matches[current]
    CSS.highlights.set('found', new Highlight(...matches))
    CSS.highlights.set('found-now', new Highlight(...(marked ? [marked] : [])))
    return () => {
      CSS.highlights.delete('found')
      CSS.highlights.delete('found-now')
    }
  }, [matches, current])
}

function useReturnFocus(): void {
  useEffect(() => {
    const before = document.activeElement
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
}

function show(match: Range | undefined): void {
  match?.startContainer.parentElement?.scrollIntoView({ block: 'center' })
}
