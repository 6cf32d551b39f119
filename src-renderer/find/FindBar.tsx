import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { closeFind, useView } from '../state/view-store.ts'
import { IconButton } from '../ui/Button.tsx'
import { ChevronDownIcon, ChevronUpIcon, CloseIcon } from '../ui/icons.tsx'
import { findText, literally, MAX_FOUND } from './find-text.ts'

/** Finds text on the screen that is open. A browser has its own; this is the desktop's. */
export function FindBar() {
  /** Counts the openings: each moves the focus to the field. */
  const opened = useView((view) => view.finding)
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  const places = usePlaces(text)
  const now = places.length === 0 ? 0 : Math.min(at, places.length - 1)
  useFocusBack()
  useEffect(() => {
    if (opened > 0) field.current?.select()
  }, [opened])
  useHighlights(places, now)
  const step = (by: number) => {
    if (places.length === 0) return
    const to = (now + by + places.length) % places.length
    setAt(to)
    show(places[to])
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
        {text === '' ? '' : told(now, places.length)}
      </span>
      <IconButton label="Previous match" icon={<ChevronUpIcon />} onClick={() => step(-1)} />
      <IconButton label="Next match" icon={<ChevronDownIcon />} onClick={() => step(1)} />
      <IconButton label="Close the search" icon={<CloseIcon />} onClick={closeFind} />
    </search>
  )
}

function told(now: number, count: number): string {
  if (count === 0) return 'Not found'
  return `${now + 1} of ${count}${count === MAX_FOUND ? ' or more' : ''}`
}

/** Looks again whenever the screen changes, once per frame at most. The first place is shown when the text changes. */
function usePlaces(text: string): readonly Range[] {
  const [places, setPlaces] = useState<readonly Range[]>([])
  useEffect(() => {
    const screen = document.querySelector('main')
    if (!screen) return
    let frame = 0
    const look = () => {
      frame = 0
      const found = text === '' ? [] : findText(screen, new RegExp(literally(text), 'giu'))
      setPlaces(found)
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
  return places
}

function useHighlights(places: readonly Range[], now: number): void {
  useEffect(() => {
    const current = places[now]
    CSS.highlights.set('found', new Highlight(...places))
    CSS.highlights.set('found-now', new Highlight(...(current ? [current] : [])))
    return () => {
      CSS.highlights.delete('found')
      CSS.highlights.delete('found-now')
    }
  }, [places, now])
}

/** Closing gives the focus back to where it was. */
function useFocusBack(): void {
  useEffect(() => {
    const before = document.activeElement
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
}

function show(place: Range | undefined): void {
  place?.startContainer.parentElement?.scrollIntoView({ block: 'center' })
}
