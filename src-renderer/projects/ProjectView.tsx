import { type ReactNode, useId, useState } from 'react'
import type { ProjectId, ServerId } from '../../src-shared/contract/ids.ts'
import { PROJECT_NAME_LENGTH, type Project } from '../../src-shared/contract/projects.ts'
import { INSTRUCTIONS_LENGTH } from '../../src-shared/contract/settings.ts'
import { FormDialog } from '../forms/FormDialog.tsx'
import { PlaceFields } from '../forms/folders/PlaceFields.tsx'
import { OptionalModel } from '../forms/models/OptionalModel.tsx'
import { useSavedChoice } from '../forms/use-saved-choice.ts'
import { SkillList } from '../skills/SkillList.tsx'
import { ask } from '../state/ask.ts'
import { attempt } from '../state/attempt.ts'
import { useHost } from '../state/host-store.ts'
import { sortedServers } from '../state/selectors.ts'
import { type UsedProject, useProject } from '../state/use-project.ts'
import { navigate } from '../state/view-store.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Checkbox } from '../ui/fields/Checkbox.tsx'
import { SavedText } from '../ui/fields/SavedText.tsx'
import { TextField } from '../ui/fields/TextField.tsx'
import { PlusIcon } from '../ui/icons.tsx'
import { Menu } from '../ui/Menu.tsx'
import { Awaited } from '../ui/ProblemCard.tsx'
import { ScreenTitle } from '../ui/ScreenTitle.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { ProjectConversations } from './ProjectConversations.tsx'
import { ProjectFiles } from './ProjectFiles.tsx'
import { ProjectTools } from './ProjectTools.tsx'

/** One project: its conversations, and what they have in common. */
export function ProjectView({ id }: { readonly id: ProjectId }) {
  const { head, project, problem, change } = useProject(id)
  if (!head) {
    return (
      <>
        <h1 className="unseen">Projects</h1>
        <EmptyState
          title="Project not found"
          actions={<Button onClick={() => navigate({ section: 'projects' })}>All projects</Button>}
        >
          It was removed. Its conversations were kept.
        </EmptyState>
      </>
    )
  }
  return (
    <div className="screen projects column-5">
      <ProjectHead id={id} name={head.name} />
      <Part title="Conversations">
        <ProjectConversations id={id} />
      </Part>
      {project ? (
        <ProjectParts project={project} change={change} />
      ) : (
        <Awaited label="Loading the project" lines={6} problem={problem} />
      )}
    </div>
  )
}

function ProjectHead({ id, name }: { readonly id: ProjectId; readonly name: string }) {
  const [open, setOpen] = useState<'rename' | 'remove'>()
  const close = () => setOpen(undefined)
  const remove = () => {
    close()
    void attempt(ask('project.remove', { id }).then(() => navigate({ section: 'projects' })))
  }
  return (
    <header className="projects-head line">
      <ScreenTitle of={id} dir="auto">
        <VisibleText text={name} />
      </ScreenTitle>
      <Button variant="primary" onClick={() => navigate({ section: 'conversations', id: 'new', tab: id })}>
        <PlusIcon /> New conversation in this project
      </Button>
      <Menu
        label="More about this project"
        items={[
          { label: 'Rename', onSelect: () => setOpen('rename') },
          { label: 'Remove …', danger: true, onSelect: () => setOpen('remove') },
        ]}
      />
      {open === 'rename' ? <RenameDialog id={id} name={name} onClose={close} /> : null}
      {open === 'remove' ? (
        <ConfirmDialog title={`Remove “${visibleText(name)}”?`} confirm="Remove" danger onConfirm={remove} onCancel={close}>
          <p>Its conversations are kept, outside any project. Its instructions, files and list of places are deleted.</p>
        </ConfirmDialog>
      ) : null}
    </header>
  )
}

interface RenameDialogProps {
  readonly id: ProjectId
  readonly name: string
  readonly onClose: () => void
}

function RenameDialog({ id, name, onClose }: RenameDialogProps) {
  const [typed, setTyped] = useState(name)
  const problem = typed.trim() === '' ? 'Required' : undefined
  const save = () => (problem === undefined ? ask('project.change', { id, change: { name: typed } }) : undefined)
  return (
    <FormDialog title="Rename project" size="small" verb="Save" onSubmit={save} onClose={onClose}>
      <TextField label="Name" value={typed} maxLength={PROJECT_NAME_LENGTH} problem={problem} onChange={setTyped} />
    </FormDialog>
  )
}

interface ProjectPartsProps {
  readonly project: Project
  readonly change: UsedProject['change']
}

function ProjectParts({ project, change }: ProjectPartsProps) {
  const { id } = project
  return (
    <>
      <Part title="Instructions" about="Given to the model in every conversation of this project.">
        <SavedText
          label="Instructions of this project"
          of={id}
          value={project.instructions}
          maxLength={INSTRUCTIONS_LENGTH}
          onSave={(instructions) => attempt(change({ instructions }))}
        />
      </Part>
      <Part title="Files" about="Text, images and PDF, given to the model in every conversation of this project.">
        <ProjectFiles project={project} />
      </Part>
      <Part
        title="Folders, sites and people"
        about="You are asked before a call reaches beyond these. Known servers may read inside them."
      >
        <PlaceFields of="this project" place={project.place} save={(place) => change({ place })} />
      </Part>
      <Part
        title="Share the folders with"
        about="These servers see the paths of the project’s folders (roots), in all conversations."
      >
        <ProjectServers project={project} onChange={(toldTo) => change({ toldTo })} />
      </Part>
      <Part title="Tools" about="Offered to the model in this project. A conversation can turn off more.">
        <ProjectTools project={project} onChange={(switches) => change({ switches })} />
      </Part>
      <Part title="Skills" about="The model may read these in every conversation of this project.">
        <SkillList switches={project.switches} onChange={(switches) => void attempt(change({ switches }))} />
      </Part>
      <Part title="Model" about="Used for new conversations in this project.">
        <ProjectModel project={project} change={change} />
      </Part>
    </>
  )
}

function ProjectModel({ project, change }: ProjectPartsProps) {
  const [model, chooseModel] = useSavedChoice(project.model, (wanted) => attempt(change({ model: wanted })))
  return (
    <OptionalModel label="Model of this project" hideLabel none="As chosen in Settings" value={model} onChange={chooseModel} />
  )
}

function Part({ title, about, children }: { readonly title: string; readonly about?: string; readonly children: ReactNode }) {
  const id = useId()
  return (
    <section className="projects-section column-3" aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        {about === undefined ? null : <p className="soft">{about}</p>}
      </div>
      {children}
    </section>
  )
}

interface ProjectServersProps {
  readonly project: Project
  readonly onChange: (toldTo: readonly ServerId[]) => Promise<unknown>
}

/** Shares the project's folders with the servers that the person ticks. */
function ProjectServers({ project: { toldTo: saved, place }, onChange }: ProjectServersProps) {
  const servers = useHost((mirror) => mirror.host.servers)
  const [toldTo, choose] = useSavedChoice(saved, (wanted) => attempt(onChange(wanted)))
  const all = sortedServers(servers)
  if (place.folders.length === 0) return <p className="soft">This project has no folders yet.</p>
  if (all.length === 0) return <p className="soft">There are no servers.</p>
  return (
    <fieldset className="ui-choices" aria-label="Share the folders with">
      {all.map(({ id, name }) => (
        <Checkbox
          key={id}
          label={<VisibleText text={name} />}
          checked={toldTo.includes(id)}
          onChange={(told) => choose(told ? [...toldTo, id] : toldTo.filter((one) => one !== id))}
        />
      ))}
    </fieldset>
  )
}
