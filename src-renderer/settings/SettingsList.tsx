import { useHost } from '../state/host-store.ts'
import { routeHash } from '../state/route.ts'
import { searchSettingsFor, setDrawer, useView } from '../state/view-store.ts'
import { goToSection, sectionsFor } from './sections.ts'
import './settings.css'

export function SettingsList() {
  const desktop = useHost((mirror) => mirror.host.desktop !== undefined)
  const chosen = useView((view) => (view.route.section === 'settings' ? view.route.id : undefined))
  return (
    <nav className="rail-sections column-0" aria-label="Sections of the settings">
      {sectionsFor(desktop).map(([id, { title }]) => (
        <a
          key={id}
          className="rail-item small row one-line"
          href={routeHash({ section: 'settings', id })}
          aria-current={id === chosen ? 'location' : undefined}
          onClick={() => {
            setDrawer(false)
            searchSettingsFor('')
            // Without a change of the address nothing would scroll.
            if (id === chosen) requestAnimationFrame(() => goToSection(id))
          }}
        >
          {title}
        </a>
      ))}
    </nav>
  )
}
