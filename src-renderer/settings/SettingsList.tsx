import { useHost } from '../state/host-store.ts'
import { routeHash } from '../state/route.ts'
import { searchSettingsFor, setDrawer, useView } from '../state/view-store.ts'
import { sectionOf, sectionsFor } from './sections.ts'
import './settings.css'

export function SettingsList() {
  const desktop = useHost((mirror) => mirror.host.desktop !== undefined)
  const chosen = useView(({ route, settingsQuery }) =>
    route.section === 'settings' && settingsQuery.trim() === '' ? sectionOf(route.id, desktop) : undefined,
  )
  return (
    <nav className="padded-small column-0" aria-label="Sections of the settings">
      {sectionsFor(desktop).map(([id, { title }]) => (
        <a
          key={id}
          className="rail-item hovers small row one-line"
          href={routeHash({ section: 'settings', id })}
          aria-current={id === chosen ? 'page' : undefined}
          onClick={() => {
            setDrawer(false)
            searchSettingsFor('')
          }}
        >
          {title}
        </a>
      ))}
    </nav>
  )
}
