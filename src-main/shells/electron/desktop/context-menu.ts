import type { ContextMenuParams, MenuItemConstructorOptions } from 'electron'
import { menuText } from './plain-text.ts'

type Clicked = Pick<
  ContextMenuParams,
  'misspelledWord' | 'dictionarySuggestions' | 'isEditable' | 'editFlags' | 'selectionText' | 'linkURL'
>

/** The actions besides the system's own roles. */
interface ContextMenuActs {
  replace(word: string): void
  learn(word: string): void
  copyLink(url: string): void
}

const MAX_SUGGESTIONS = 5
const MAX_LINK_LENGTH = 8192
const LINE: MenuItemConstructorOptions = { type: 'separator' }

/** Spelling, editing and a link's address. Empty when there is nothing to do. */
export function contextMenu(clicked: Clicked, acts: ContextMenuActs): MenuItemConstructorOptions[] {
  const parts = [spelling(clicked, acts), link(clicked, acts), editing(clicked)].filter((part) => part.length > 0)
  return parts.flatMap((part, n) => (n === 0 ? part : [LINE, ...part]))
}

function spelling({ misspelledWord: word, dictionarySuggestions }: Clicked, acts: ContextMenuActs): MenuItemConstructorOptions[] {
  if (word === '') return []
  const suggestions = dictionarySuggestions.slice(0, MAX_SUGGESTIONS).map((suggestion) => ({
    label: menuText(suggestion),
    click: () => acts.replace(suggestion),
  }))
  return [
    ...(suggestions.length > 0 ? suggestions : [{ label: 'No suggestions', enabled: false }]),
    LINE,
    { label: 'Add to dictionary', click: () => acts.learn(word) },
  ]
}

/** Only for web links: addresses of our own page are useless elsewhere. */
function link({ linkURL }: Clicked, acts: ContextMenuActs): MenuItemConstructorOptions[] {
  if (!/^https?:/.test(linkURL) || linkURL.length > MAX_LINK_LENGTH) return []
  return [{ label: 'Copy link', click: () => acts.copyLink(linkURL) }]
}

function editing({ isEditable, editFlags, selectionText }: Clicked): MenuItemConstructorOptions[] {
  if (!isEditable) return selectionText.trim() === '' ? [] : [{ role: 'copy' }]
  return [
    { role: 'cut', enabled: editFlags.canCut },
    { role: 'copy', enabled: editFlags.canCopy },
    { role: 'paste', enabled: editFlags.canPaste },
    { role: 'pasteAndMatchStyle', enabled: editFlags.canPaste },
    LINE,
    { role: 'selectAll', enabled: editFlags.canSelectAll },
  ]
}
