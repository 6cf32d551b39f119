import { type ClipboardEvent, useRef, useState } from 'react'
import { type PastedServer, type Recognised, recognised, typedCommandLine } from './pasted-config.ts'
import { fillFrom, fillFromLine, type ServerDraft } from './server-draft.ts'

/** The values of the form before and after a paste filled it. */
export interface Filled {
  readonly from: Recognised
  readonly text: string
  readonly before: ServerDraft
  readonly after: ServerDraft
}

interface FilledDraft {
  readonly draft: ServerDraft
  /** The last paste, until it is undone. */
  readonly filled: Filled | undefined
  /** The whole command line that stands in the command field. */
  readonly typed: Recognised | undefined
  change(part: Partial<ServerDraft>): void
  fill(found: Recognised, text: string): void
  undo(): void
  /** Fills the form if more was pasted than the value of one field. */
  paste(event: ClipboardEvent<HTMLElement>): void
}

interface FilledDraftOptions {
  readonly start: ServerDraft
  /** Pasted outside of the form. */
  readonly given: Recognised | undefined
  /** The name of an edited server. */
  readonly name: string | undefined
  /** Takes a paste of several servers; absent for an edited one, which only one of them can fill. */
  readonly onSeveral: ((text: string) => void) | undefined
}

/** The values of the form, which a paste can fill. */
export function useFilledDraft({ start, given, name, onSeveral }: FilledDraftOptions): FilledDraft {
  const [filled, setFilled] = useState<Filled | undefined>(
    () => given && { from: given, text: '', before: start, after: filledFrom(start, given) },
  )
  const [draft, setDraft] = useState(filled?.after ?? start)
  /** After Undo, pasting the same text inserts it literally. */
  const literal = useRef('')
  const fill = (found: Recognised, text: string) => {
    if (found.is === 'servers' && found.servers.length > 1 && onSeveral) return onSeveral(text)
    const from = found.is === 'servers' ? matchingServer(found.servers, name) : found
    // A name that was filled in is replaced by the next one.
    const named = filled && filled.after.name !== filled.before.name ? filled.after.name : undefined
    const after = filledFrom(draft.name === named ? { ...draft, name: '' } : draft, from)
    setFilled({ from, text, before: draft, after })
    setDraft(after)
  }
  const undo = () => {
    if (!filled) return
    literal.current = filled.text
    setDraft(filled.before)
    setFilled(undefined)
  }
  const paste = (event: ClipboardEvent<HTMLElement>) => {
    const { target } = event
    const text = event.clipboardData.getData('text')
    if (!(target instanceof HTMLInputElement) || text === literal.current) return
    const found = recognised(text, fieldOf(target), draft.kind === 'local' ? draft.command : '')
    // A paste into a field with a value edits only that field.
    if (!found || (found.is !== 'servers' && target.value !== '')) return
    event.preventDefault()
    fill(found, text)
  }
  const typed = literal.current === draft.command ? undefined : typedCommandLine(draft.command, draft.args)
  const change = (part: Partial<ServerDraft>) => setDraft((now) => ({ ...now, ...part }))
  return { draft, filled, typed, change, fill, undo, paste }
}

/** The name of the field; `pair` for a row, `number` for a number, empty for fields of any text. */
function fieldOf(input: HTMLInputElement): string {
  if (input.name !== '') return input.name
  return input.matches('.pair > :first-child input') ? 'pair' : input.matches('[role="spinbutton"]') ? 'number' : ''
}

function matchingServer(servers: readonly PastedServer[], name: string | undefined): Recognised {
  const named = servers.filter((one) => one.name === name)
  return { is: 'servers', servers: (named.length > 0 ? named : servers).slice(0, 1) }
}

export function filledFrom(draft: ServerDraft, given: Recognised): ServerDraft {
  switch (given.is) {
    case 'servers':
      return given.servers[0] ? fillFrom(draft, given.servers[0]) : draft
    case 'line':
      return { ...fillFromLine(draft, given.line), kind: 'local' }
    case 'url':
      return { ...draft, kind: 'remote', url: given.url }
  }
}
