import type { ProjectHead } from '../../../src-shared/contract/projects.ts'
import { routeHash } from '../../state/route.ts'
import { navigate, setProjectOpen } from '../../state/view-store.ts'
import { IconButton } from '../../ui/Button.tsx'
import { ChevronDownIcon, ChevronRightIcon, PlusIcon } from '../../ui/icons.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { visibleText } from '../../ui/visible-text.ts'

interface ProjectRowProps {
  readonly project: ProjectHead
  readonly open: boolean
  readonly current: boolean
}

/** One project in the list: its conversations unfold below it. */
export function ProjectRow({ project: { id, name }, open, current }: ProjectRowProps) {
  const shown = visibleText(name)
  return (
    <div className={current ? 'conversation-row hovers row small conversation-row-current' : 'conversation-row hovers row small'}>
      <button
        type="button"
        className="conversation-fold"
        aria-label={`Conversations of ${shown}`}
        aria-expanded={open}
        onClick={() => setProjectOpen(id, !open)}
      >
        {open ? <ChevronDownIcon /> : <ChevronRightIcon />}
      </button>
      <a
        href={routeHash({ section: 'projects', id })}
        aria-current={current ? 'page' : undefined}
        aria-description="Project"
        title={name}
        dir="auto"
      >
        <VisibleText text={name} />
      </a>
      <IconButton
        label={`New conversation in ${shown}`}
        icon={<PlusIcon />}
        onClick={() => navigate({ section: 'conversations', id: 'new', tab: id })}
      />
    </div>
  )
}
