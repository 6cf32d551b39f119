import { type ComponentType, useEffect, useRef } from 'react'
import { useHost } from '../state/host-store.ts'
import { useView } from '../state/view-store.ts'
import { Skeleton } from '../ui/Skeleton.tsx'
import { AboutSection } from './AboutSection.tsx'
import { AppearanceSection } from './AppearanceSection.tsx'
import { ConsentSection } from './consent/ConsentSection.tsx'
import { DesktopSection } from './DesktopSection.tsx'
import { DataSection } from './data/DataSection.tsx'
import { InstructionsSection } from './InstructionsSection.tsx'
import { LedgerSection } from './LedgerSection.tsx'
import { ModelsSection } from './models/ModelsSection.tsx'
import { NetworkSection } from './network/NetworkSection.tsx'
import { PrivacySection } from './PrivacySection.tsx'
import { SecuritySection } from './SecuritySection.tsx'
import { ServersSection } from './ServersSection.tsx'
import { ShortcutsSection } from './ShortcutsSection.tsx'
import { type SectionId, sectionsFor } from './sections.ts'
import { TurnsSection } from './TurnsSection.tsx'
import './settings.css'

const CONTENT: Readonly<Record<SectionId, ComponentType>> = {
  models: ModelsSection,
  instructions: InstructionsSection,
  consent: ConsentSection,
  ledger: LedgerSection,
  appearance: AppearanceSection,
  shortcuts: ShortcutsSection,
  desktop: DesktopSection,
  turns: TurnsSection,
  servers: ServersSection,
  network: NetworkSection,
  data: DataSection,
  privacy: PrivacySection,
  security: SecuritySection,
  about: AboutSection,
}

/** Everything that can be set, on one page; the address may name a section to begin at. */
export function SettingsView() {
  const connecting = useHost((mirror) => mirror.epoch === '')
  const wanted = useView((view) => (view.route.section === 'settings' ? view.route.id : undefined))
  const desktop = useHost((mirror) => mirror.host.desktop !== undefined)
  const page = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (connecting || wanted === undefined) return
    const section = page.current?.querySelector(`[data-section="${CSS.escape(wanted)}"]`)
    section?.scrollIntoView()
    section?.querySelector('h2')?.focus({ preventScroll: true })
  }, [wanted, connecting])
  return (
    <div className="settings" ref={page}>
      <h1>Settings</h1>
      {connecting ? (
        <Skeleton label="Loading settings" />
      ) : (
        sectionsFor(desktop).map(([id, { title, about }]) => {
          const Content = CONTENT[id]
          return (
            <section key={id} className="settings-section column-3" data-section={id} aria-labelledby={`settings-${id}`}>
              <div>
                <h2 id={`settings-${id}`} tabIndex={-1}>
                  {title}
                </h2>
                {about ? <p className="soft">{about}</p> : null}
              </div>
              <Content />
            </section>
          )
        })
      )}
    </div>
  )
}
