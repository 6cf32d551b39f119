import { describe, expect, it } from 'vitest'
import { CONTENTS, guidePage, linkedPage, pathBelowDocs } from './guide-pages.ts'

describe('a page of the guide', () => {
  it('is found by its id, the contents without one, and nothing by an unknown id', () => {
    expect(guidePage(undefined)).toBe(CONTENTS)
    expect(guidePage('consent')?.file).toBe('guide/consent.md')
    expect(guidePage('../security')).toBeUndefined()
  })

  it('links to other pages, and to nothing that is no page', () => {
    const [consent, deep] = [guidePage('consent'), guidePage('how-parley-decides')]
    if (!consent || !deep) throw new Error('no such page')
    expect(linkedPage(consent, 'folders.md')?.id).toBe('folders')
    expect(linkedPage(consent, '../consent.md')?.id).toBe('how-parley-decides')
    expect(linkedPage(deep, 'guide/README.md')?.id).toBe('contents')
    for (const link of ['decisions/0027-consent-by-what-a-call-does.md', '../README.md', 'https://example.com/consent.md', '#x'])
      expect(linkedPage(deep, link), link).toBeUndefined()
  })

  it('names its picture by the path of the repository', () => {
    expect(pathBelowDocs(CONTENTS, '../../assets/screenshot-task-light.png')).toBe('assets/screenshot-task-light.png')
  })
})
