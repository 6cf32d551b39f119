import { expect, it } from 'vitest'
import { contextMenu } from './context-menu.ts'

type Clicked = Parameters<typeof contextMenu>[0]

const flags = {
  ...{ canUndo: false, canRedo: false, canCut: true, canCopy: true, canPaste: true },
  ...{ canDelete: true, canSelectAll: true, canEditRichly: false },
}
const nothing: Clicked = {
  ...{ misspelledWord: '', dictionarySuggestions: [], isEditable: false, editFlags: flags, selectionText: '', linkURL: '' },
}

function open(clicked: Partial<Clicked>) {
  const done: string[] = []
  const items = contextMenu(
    { ...nothing, ...clicked },
    {
      replace: (word) => done.push(`replace ${word}`),
      learn: (word) => done.push(`learn ${word}`),
      copyLink: (url) => done.push(`copy ${url}`),
    },
  )
  for (const { click } of items) Reflect.apply(click ?? (() => {}), undefined, [])
  return { items: items.map(({ label, role, type }) => label ?? role ?? type), done }
}

it('the context menu offers spellings, the dictionary and editing in a text field', () => {
  const { items, done } = open({
    isEditable: true,
    misspelledWord: 'teh',
    dictionarySuggestions: ['the', 'a & b', 'c', 'd', 'e', 'f'],
  })
  expect(items).toEqual([
    ...['the', 'a && b', 'c', 'd', 'e', 'separator', 'Add to dictionary', 'separator'],
    ...['cut', 'copy', 'paste', 'pasteAndMatchStyle', 'separator', 'selectAll'],
  ])
  expect(done).toEqual(['replace the', 'replace a & b', 'replace c', 'replace d', 'replace e', 'learn teh'])
})

it('the context menu copies the selection and a link’s address, and is absent where there is neither', () => {
  expect(open({ selectionText: 'words' }).items).toEqual(['copy'])
  expect(open({ linkURL: 'https://example.com/' })).toEqual({ items: ['Copy link'], done: ['copy https://example.com/'] })
  expect(open({ linkURL: 'parley-page://app/blob/0' }).items).toEqual([])
  expect(open({ linkURL: 'javascript:1' }).items).toEqual([])
  expect(open({}).items).toEqual([])
})
