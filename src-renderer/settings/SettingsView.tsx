import { type ComponentType, type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useHost } from '../state/host-store.ts'
import { searchSettingsFor, useView } from '../state/view-store.ts'
import { counted } from '../ui/amounts.ts'
import { SearchField } from '../ui/fields/SearchField.tsx'
import { ScreenTitle } from '../ui/ScreenTitle.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { AboutSection } from './AboutSection.tsx'
import { ConsentSection } from './consent/ConsentSection.tsx'
import { DesktopSection } from './DesktopSection.tsx'
import { DataSection } from './data/DataSection.tsx'
import { InstructionsSection } from './InstructionsSection.tsx'
import { LedgerSection } from './LedgerSection.tsx'
import { ModelsSection } from './models/ModelsSection.tsx'
import { NotesSection } from './NotesSection.tsx'
import { NetworkSection } from './network/NetworkSection.tsx'
import { PrivacySection } from './PrivacySection.tsx'
import { SecuritySection } from './SecuritySection.tsx'
import { ServersSection } from './ServersSection.tsx'
import { SettingFields } from './SettingFields.tsx'
import { ShortcutsSection } from './ShortcutsSection.tsx'
import { SkillsSection } from './SkillsSection.tsx'
import { SchedulesSection } from './schedules/SchedulesSection.tsx'
import { type SectionId, sectionOf, sectionsFor } from './sections.ts'
import './settings.css'
import { type SettingsFound, searchSettings } from './settings-search.ts'

/** Sections with more than fields. */
const CONTENT: Partial<Record<SectionId, ComponentType>> = {
  models: ModelsSection,
  instructions: InstructionsSection,
  skills: SkillsSection,
  schedules: SchedulesSection,
  notes: NotesSection,
  consent: ConsentSection,
  ledger: LedgerSection,
  shortcuts: ShortcutsSection,
  desktop: DesktopSection,
  servers: ServersSection,
  network: NetworkSection,
  data: DataSection,
  privacy: PrivacySection,
  security: SecuritySection,
  about: AboutSection,
}

/** One section of the settings, or all that have the words of a search. */
export function SettingsView() {
  const connecting = useHost((mirror) => mirror.epoch === '')
  const wanted = useView((view) => (view.route.section === 'settings' ? view.route.id : undefined))
  const desktop = useHost((mirror) => mirror.host.desktop !== undefined)
  const page = useRef<HTMLDivElement>(null)
  const query = useView((view) => view.settingsQuery)
  const [found, setFound] = useState<SettingsFound>()
  const searching = query.trim() !== ''
  useLayoutEffect(() => {
    setFound(!searching || connecting || !page.current ? undefined : searchSettings(page.current, query))
  }, [searching, query, connecting])
  useHighlights(found?.names)
  useEffect(() => () => searchSettingsFor(''), [])
  useEffect(() => {
    if (connecting || wanted === undefined) return
    page.current?.scrollIntoView()
    page.current?.querySelector('h2')?.focus({ preventScroll: true })
  }, [wanted, connecting])
  const shown = sectionOf(wanted, desktop)
  return (
    <div className="screen column-5" ref={page}>
      <div className="settings-head line">
        <ScreenTitle>Settings</ScreenTitle>
        <SettingsSearch query={query} found={found} />
      </div>
      {connecting ? (
        <Skeleton label="Loading settings" />
      ) : (
        sectionsFor(desktop)
          .filter(([id]) => searching || id === shown)
          .map(([id, { title, about }]) => {
            const Content = CONTENT[id]
            return (
              <section
                key={id}
                className="settings-section column-3"
                data-section={id}
                aria-labelledby={`settings-${id}`}
                hidden={searching && !found?.sections.has(id)}
              >
                <div>
                  <h2 id={`settings-${id}`} tabIndex={-1}>
                    {title}
                  </h2>
                  {about ? <p className="soft">{about}</p> : null}
                </div>
                <SettingFields section={id}>{Content ? <Content /> : null}</SettingFields>
              </section>
            )
          })
      )}
    </div>
  )
}

/** Filters the sections. Enter focuses the first setting found, Escape shows all sections. */
function SettingsSearch({ query, found }: { readonly query: string; readonly found: SettingsFound | undefined }) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && query !== '') {
      event.stopPropagation()
      searchSettingsFor('')
    }
    if (event.key === 'Enter' && found) goToFirst(found)
  }
  return (
    <search className="settings-search row" onKeyDown={onKeyDown}>
      <SearchField label="Search settings" value={query} onChange={searchSettingsFor} />
      <span className="meta" role="status">
        {found ? (found.sections.size > 0 ? counted(found.sections.size, 'section') : 'No settings found.') : null}
      </span>
    </search>
  )
}

function goToFirst({ names, sections }: SettingsFound): void {
  for (const name of names) {
    const control = name instanceof HTMLLabelElement ? name.control : name.matches('button, summary') ? name : null
    if (!control) continue
    control.scrollIntoView({ block: 'center' })
    control.focus()
    return
  }
  const [first] = sections
  if (first !== undefined) document.getElementById(`settings-${first}`)?.focus()
}

/** Highlights the names found, like the search on the screen. */
function useHighlights(names: readonly HTMLElement[] | undefined): void {
  useEffect(() => {
    if (!names) return
    const ranges = names.map((name) => {
      const range = document.createRange()
      range.selectNodeContents(name)
      return range
    })
    CSS.highlights.set('found', new Highlight(...ranges))
    return () => void CSS.highlights.delete('found')
  }, [names])
}
