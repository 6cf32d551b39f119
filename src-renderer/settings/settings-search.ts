import { matchesWords } from '../../src-shared/base/matches-words.ts'
import { FIELD_ENTRIES } from '../../src-shared/contract/setting-fields.ts'
import { SECTIONS, type SectionId, type SectionWords } from './sections.ts'

/** Settings and actions by name; not the person's own records. */
const NAMES = 'h2, h2 + p, h3, label, legend, summary, button, option, dt, .ui-field-label, .ui-field > .meta'
const KEPT = '.ui-virtual, .content-text, details > :not(summary), dd'

/** Where the words of a search stand in the settings. */
export interface SettingsFound {
  readonly sections: ReadonlySet<string>
  /** Names that hold all of the words, in reading order. */
  readonly names: readonly HTMLElement[]
}

/** Looks in the sections of `page`, hidden ones too; a section is found by all of its names together, and by its other words. */
export function searchSettings(page: ParentNode, query: string): SettingsFound {
  const sections = new Set<string>()
  const names: HTMLElement[] = []
  for (const section of page.querySelectorAll<HTMLElement>('[data-section]')) {
    const id = section.dataset.section ?? ''
    const all = [...section.querySelectorAll<HTMLElement>(NAMES)].filter((name) => !name.closest(KEPT))
    const texts = all.map((name) => name.textContent ?? '')
    if (!matchesWords([...texts, ...otherWords(id as SectionId)].join('\n'), query.trim())) continue
    sections.add(id)
    names.push(...all.filter((_, at) => matchesWords(texts[at] ?? '', query.trim())))
  }
  return { sections, names }
}

function otherWords(id: SectionId): readonly string[] {
  const { words = '' }: SectionWords = SECTIONS[id]
  return [words, ...FIELD_ENTRIES.flatMap(([, field]) => (field.section === id ? (field.words ?? []) : []))]
}
