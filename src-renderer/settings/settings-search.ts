import { matchesWords } from '../../src-shared/base/matches-words.ts'
import { FIELD_ENTRIES } from '../../src-shared/contract/setting-fields.ts'
import { SECTIONS, type SectionId, type SectionLabels } from './sections.ts'

/** Names of settings and actions. */
const NAMES = 'h2, h2 + p, h3, label, legend, summary, button, option, dt, .ui-field-label, .ui-field > .meta'
/** The person's own records are not searched. */
const RECORDS = '.ui-virtual, .content-text, details > :not(summary), dd'

export interface SettingsFound {
  readonly sections: ReadonlySet<string>
  /** Names that contain all words, in reading order. */
  readonly names: readonly HTMLElement[]
}

/** Searches all sections of `page`, also hidden ones. A section matches by its names and further words together. */
export function searchSettings(page: ParentNode, query: string): SettingsFound {
  const sections = new Set<string>()
  const names: HTMLElement[] = []
  for (const section of page.querySelectorAll<HTMLElement>('[data-section]')) {
    const id = section.dataset.section ?? ''
    const all = [...section.querySelectorAll<HTMLElement>(NAMES)].filter((name) => !name.closest(RECORDS))
    const texts = all.map((name) => name.textContent ?? '')
    if (!matchesWords([...texts, ...otherWords(id as SectionId)].join('\n'), query.trim())) continue
    sections.add(id)
    names.push(...all.filter((_, at) => matchesWords(texts[at] ?? '', query.trim())))
  }
  return { sections, names }
}

function otherWords(id: SectionId): readonly string[] {
  const { words = '' }: SectionLabels = SECTIONS[id]
  return [words, ...FIELD_ENTRIES.flatMap(([, field]) => (field.section === id ? (field.words ?? []) : []))]
}
