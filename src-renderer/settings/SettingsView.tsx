import { type ReactNode, useEffect, useRef } from 'react'
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
import { TurnsSection } from './TurnsSection.tsx'
import './settings.css'

/** Everything that can be set, on one page; the address may name a section to begin at. */
export function SettingsView() {
  const connecting = useHost((mirror) => mirror.epoch === '')
  const wanted = useView((view) => (view.route.section === 'settings' ? view.route.id : undefined))
  const desktop = useHost((mirror) => mirror.host.desktop !== undefined)
  const page = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (connecting || wanted === undefined) return
    page.current?.querySelector(`[data-section="${CSS.escape(wanted)}"]`)?.scrollIntoView()
  }, [wanted, connecting])
  return (
    <div className="settings" ref={page}>
      <h1>Settings</h1>
      {connecting ? (
        <Skeleton label="Loading settings" />
      ) : (
        <>
          <SettingsSection id="models" title="Models" about="Keys are stored and never shown.">
            <ModelsSection />
          </SettingsSection>
          <SettingsSection id="instructions" title="Instructions" about="Told to the model in every conversation.">
            <InstructionsSection />
          </SettingsSection>
          <SettingsSection
            id="consent"
            title="Consent rules"
            about="A rule that allows applies until the tool or its server changes. Rules that ask or deny come first."
          >
            <ConsentSection />
          </SettingsSection>
          <SettingsSection
            id="ledger"
            title="Ledger"
            about="Every decision about a tool call. Entries are only added, and outlive their conversation."
          >
            <LedgerSection />
          </SettingsSection>
          <SettingsSection id="appearance" title="Appearance">
            <AppearanceSection />
          </SettingsSection>
          <SettingsSection id="shortcuts" title="Shortcuts">
            <ShortcutsSection />
          </SettingsSection>
          {desktop ? (
            <SettingsSection id="desktop" title="Desktop">
              <DesktopSection />
            </SettingsSection>
          ) : null}
          <SettingsSection id="turns" title="Turns">
            <TurnsSection />
          </SettingsSection>
          <SettingsSection id="servers" title="Local and remote servers" about="For servers that have no timeouts of their own.">
            <ServersSection />
          </SettingsSection>
          <SettingsSection
            id="network"
            title="Network"
            about="How Parley reaches model providers, remote servers and where you sign in."
          >
            <NetworkSection />
          </SettingsSection>
          <SettingsSection id="data" title="Data" about="Everything that Parley keeps lies in one folder.">
            <DataSection />
          </SettingsSection>
          <SettingsSection id="privacy" title="Privacy">
            <PrivacySection />
          </SettingsSection>
          <SettingsSection id="security" title="Security">
            <SecuritySection />
          </SettingsSection>
          <SettingsSection id="about" title="About">
            <AboutSection />
          </SettingsSection>
        </>
      )}
    </div>
  )
}

interface SettingsSectionProps {
  readonly id: string
  readonly title: string
  readonly about?: string
  readonly children: ReactNode
}

function SettingsSection({ id, title, about, children }: SettingsSectionProps) {
  return (
    <section className="settings-section column-3" data-section={id} aria-labelledby={`settings-${id}`}>
      <div>
        <h2 id={`settings-${id}`}>{title}</h2>
        {about ? <p className="soft">{about}</p> : null}
      </div>
      {children}
    </section>
  )
}
