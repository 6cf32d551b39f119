import { routeHash } from '../state/route.ts'
import { setDrawer, useView } from '../state/view-store.ts'
import { GUIDE, guidePage, REPORT } from './guide-pages.ts'
import './help.css'

/** The pages of the guide in the rail. */
export function GuideList() {
  const now = useView((view) => view.route.id)
  return (
    <nav className="padded-small column-0 small" aria-label="Pages of the user guide">
      {GUIDE.map((page) => (
        <a
          key={page.id}
          className="rail-item hovers row"
          href={routeHash({ section: 'help', id: page.id })}
          aria-current={page === guidePage(now) ? 'page' : undefined}
          onClick={() => setDrawer(false)}
        >
          {page.title}
        </a>
      ))}
      <a
        className="rail-item hovers row"
        href={routeHash({ section: 'help', id: REPORT.id })}
        aria-current={now === REPORT.id ? 'page' : undefined}
        onClick={() => setDrawer(false)}
      >
        {REPORT.title}
      </a>
    </nav>
  )
}
