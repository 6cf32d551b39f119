import { useState } from 'react'
import type { ProjectId } from '../../src-shared/contract/ids.ts'
import { PROJECT_NAME_LENGTH } from '../../src-shared/contract/projects.ts'
import { FormDialog } from '../forms/FormDialog.tsx'
import { ask } from '../state/ask.ts'
import { useHost } from '../state/host-store.ts'
import { routeHash } from '../state/route.ts'
import { navigate, useView } from '../state/view-store.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { TextField } from '../ui/fields/TextField.tsx'
import { PlusIcon } from '../ui/icons.tsx'
import { ScreenTitle } from '../ui/ScreenTitle.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { ProjectView } from './ProjectView.tsx'
import './projects.css'

/** The section Projects: all of them, or one when the address names it; `new` opens the dialog. */
export function ProjectsScreen() {
  const route = useView((view) => view.route)
  const id = route.section === 'projects' && route.id !== 'new' ? route.id : undefined
  // The address may name a project that does not exist; the view says so.
  if (id !== undefined) return <ProjectView key={id} id={id as ProjectId} />
  return <AllProjects adding={route.id === 'new'} />
}

const add = () => navigate({ section: 'projects', id: 'new' })

function AllProjects({ adding }: { readonly adding: boolean }) {
  const projects = useHost((mirror) => mirror.host.projects)
  return (
    <div className="screen projects column-5">
      <header className="projects-head line">
        <ScreenTitle>Projects</ScreenTitle>
        {projects.length > 0 ? <NewProject /> : null}
      </header>
      {projects.length === 0 ? (
        <EmptyState title="No projects yet" actions={<NewProject />}>
          Shared instructions, folders and tools for related chats.
        </EmptyState>
      ) : (
        <ul className="framed divided" aria-label="Projects">
          {projects.map(({ id, name }) => (
            <li key={id} className="projects-row">
              <a href={routeHash({ section: 'projects', id })} dir="auto">
                <VisibleText text={name} />
              </a>
            </li>
          ))}
        </ul>
      )}
      {adding ? <NewProjectDialog /> : null}
    </div>
  )
}

function NewProject() {
  return (
    <Button variant="primary" onClick={add}>
      <PlusIcon /> New project
    </Button>
  )
}

function NewProjectDialog() {
  const [name, setName] = useState('')
  const [missing, setMissing] = useState(false)
  const create = () => {
    setMissing(name.trim() === '')
    if (name.trim() === '') return undefined
    return ask('project.create', { name }).then(({ id }) => navigate({ section: 'projects', id }))
  }
  // A created project is open by now and stays so.
  const leave = () => {
    if (useView.getState().route.id === 'new') navigate({ section: 'projects' })
  }
  return (
    <FormDialog title="New project" size="small" verb="Create" onSubmit={create} onClose={leave}>
      <TextField
        label="Name"
        value={name}
        maxLength={PROJECT_NAME_LENGTH}
        problem={missing ? 'Required' : undefined}
        onChange={setName}
      />
    </FormDialog>
  )
}
