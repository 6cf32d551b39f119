import type { ProjectId } from '../../src-shared/contract/ids.ts'
import type { ToolSwitches } from '../../src-shared/contract/settings.ts'
import type { SkillHead } from '../../src-shared/contract/skills.ts'
import { useProject } from '../state/use-project.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { SkillDialog } from './SkillDialog.tsx'
import { SkillList } from './SkillList.tsx'
import { isSkillOn, skillState, withSkill } from './skill-switches.ts'

interface SkillsDialogProps {
  /** The skill that was chosen by name; all are listed without it. */
  readonly chosen: SkillHead | undefined
  readonly ofWhat: string
  /** Of the conversation. */
  readonly project: ProjectId | undefined
  readonly switches: ToolSwitches
  readonly onChange: (switches: ToolSwitches) => void
  /** Called with the name of the chosen skill once it is on. */
  readonly onUse: (name: string) => void
  readonly onClose: () => void
}

/** The skills of a conversation, or one of them to use now. */
export function SkillsDialog({ chosen, ofWhat, project, switches, onChange, onUse, onClose }: SkillsDialogProps) {
  const inProject = useProject(project).project?.switches
  if (!chosen)
    return (
      <Dialog title="Skills" onEscape={onClose} onOutside={onClose} closeLabel="Close">
        <p className="soft">For {ofWhat}. The model reads one when it needs it.</p>
        <SkillList switches={switches} inProject={inProject} onChange={onChange} />
      </Dialog>
    )
  return (
    <SkillDialog
      skill={chosen.ref}
      name={chosen.name}
      on={isSkillOn(skillState(chosen, switches, inProject))}
      confirm="Use skill"
      onConfirm={(head) => {
        if (!isSkillOn(skillState(head, switches, inProject))) onChange(withSkill(switches, head))
        onUse(head.name)
        onClose()
      }}
      onClose={onClose}
    />
  )
}
