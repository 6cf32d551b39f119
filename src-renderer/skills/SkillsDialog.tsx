import type { ToolSwitches } from '../../src-shared/contract/settings.ts'
import type { SkillHead } from '../../src-shared/contract/skills.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { SkillDialog } from './SkillDialog.tsx'
import { SkillList } from './SkillList.tsx'
import { stateOf, withSkill } from './skill-switches.ts'

export interface SkillsDialogProps {
  /** The skill that was chosen by name; all are listed without it. */
  readonly chosen: SkillHead | undefined
  readonly ofWhat: string
  readonly switches: ToolSwitches
  readonly onChange: (switches: ToolSwitches) => void
  /** Called with the name of the chosen skill once it is on. */
  readonly onUse: (name: string) => void
  readonly onClose: () => void
}

/** The skills of a conversation, or one of them to use now. */
export function SkillsDialog({ chosen, ofWhat, switches, onChange, onUse, onClose }: SkillsDialogProps) {
  if (!chosen)
    return (
      <Dialog title="Skills" onEscape={onClose} onOutside={onClose} closeLabel="Close">
        <p className="soft">For {ofWhat}. The model reads one when it needs it.</p>
        <SkillList switches={switches} onChange={onChange} />
      </Dialog>
    )
  return (
    <SkillDialog
      skill={chosen.ref}
      name={chosen.name}
      on={stateOf(chosen, switches) === 'on'}
      confirm="Use skill"
      onConfirm={(head) => {
        if (stateOf(head, switches) !== 'on') onChange(withSkill(switches, head))
        onUse(head.name)
        onClose()
      }}
      onClose={onClose}
    />
  )
}
