import { useState } from 'react'
import type { ToolSwitches } from '../../src-shared/contract/settings.ts'
import { type SkillHead, skillKey } from '../../src-shared/contract/skills.ts'
import { useHost } from '../state/host-store.ts'
import { routeHash } from '../state/route.ts'
import { useRequest } from '../state/use-request.ts'
import { useView } from '../state/view-store.ts'
import { Button } from '../ui/Button.tsx'
import { Awaited } from '../ui/ProblemCard.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { SkillDialog } from './SkillDialog.tsx'
import { isSkillOn, type SkillState, skillState, withoutSkill, withSkill } from './skill-switches.ts'
import './skills.css'

interface SkillListProps {
  readonly switches: ToolSwitches
  /** Of the conversation's project, whose skills are on as well. */
  readonly inProject?: ToolSwitches | undefined
  readonly onChange: (switches: ToolSwitches) => void
}

/** All skills; each is turned on where its text is shown. */
export function SkillList({ switches, inProject, onChange }: SkillListProps) {
  const [open, setOpen] = useState<SkillHead>()
  const changes = useHost((mirror) => mirror.host.skillChanges)
  const servers = useHost((mirror) =>
    Object.values(mirror.host.servers)
      .map(({ id, state, catalog }) => `${id} ${state.is} ${catalog.version}`)
      .join('\n'),
  )
  const folder = useHost((mirror) => mirror.host.settings.skillFolder)
  // The settings have the button itself.
  const elsewhere = useView((view) => view.route.section !== 'settings')
  const { value, problem } = useRequest('skill.list', {}, { refetchOn: [changes, servers], pause: 100 })
  if (!value) return <Awaited label="Looking for skills" problem={problem} />
  const { skills, problems } = value
  return (
    <div className="column-3">
      {skills.length > 0 ? (
        <ul className="column" aria-label="Skills">
          {skills.map((head) => (
            <li key={skillKey(head.ref)}>
              <SkillRow
                head={head}
                state={skillState(head, switches, inProject)}
                onOpen={() => setOpen(head)}
                onOff={() => onChange(withoutSkill(switches, head.ref))}
              />
            </li>
          ))}
        </ul>
      ) : (
        <p className="soft">
          No skills.{' '}
          {folder === '' && elsewhere ? (
            <a href={routeHash({ section: 'settings', id: 'skills' })}>Choose your folder in Settings</a>
          ) : null}
        </p>
      )}
      {problems.map((one) => (
        <VisibleText key={one} as="p" className="meta" text={one} />
      ))}
      {open ? (
        <SkillDialog
          skill={open.ref}
          name={open.name}
          on={isSkillOn(skillState(open, switches, inProject))}
          confirm="Turn on"
          onConfirm={(head) => {
            onChange(withSkill(switches, head))
            setOpen(undefined)
          }}
          onClose={() => setOpen(undefined)}
        />
      ) : null}
    </div>
  )
}

interface SkillRowProps {
  readonly head: SkillHead
  readonly state: SkillState
  readonly onOpen: () => void
  readonly onOff: () => void
}

const STATES: Readonly<Record<SkillState, string>> = {
  on: 'On',
  'on-in-project': 'On in the project',
  off: 'Off',
  changed: 'Off: it changed since you turned it on',
}

function SkillRow({ head, state, onOpen, onOff }: SkillRowProps) {
  const { name, description, serverName, problem } = head
  return (
    <div className="skills-row line">
      <div className="grow column-0">
        <span>
          <VisibleText as="strong" text={name} /> <SkillSource serverName={serverName} />
        </span>
        <VisibleText as="span" className="soft" text={description} />
        <VisibleText as="span" className="meta" text={problem ?? STATES[state]} />
      </div>
      {state === 'on' ? (
        <Button size="small" onClick={onOff}>
          Turn off<span className="unseen"> {name}</span>
        </Button>
      ) : null}
      <Button size="small" onClick={onOpen}>
        Read …<span className="unseen"> {name}</span>
      </Button>
    </div>
  )
}

/** The author, since anybody can use any name. */
function SkillSource({ serverName }: { readonly serverName: string | undefined }) {
  return <VisibleText as="span" className="meta" text={serverName === undefined ? 'yours' : `of ${serverName}`} />
}
