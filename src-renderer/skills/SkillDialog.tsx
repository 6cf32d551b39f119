import { useState } from 'react'
import { SKILL_FILE, type SkillHead, type SkillRef } from '../../src-shared/contract/skills.ts'
import { LongText } from '../content/text/LongText.tsx'
import { useRequest } from '../state/use-request.ts'
import { bytes } from '../ui/amounts.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { GrantButton } from '../ui/GrantButton.tsx'
import { Awaited } from '../ui/ProblemCard.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { visibleText } from '../ui/visible-text.ts'

interface SkillDialogProps {
  readonly skill: SkillRef
  readonly name: string
  /** It is on already. */
  readonly on: boolean
  readonly confirm: string
  /** Gets the skill as it is shown. */
  readonly onConfirm: (head: SkillHead) => void
  readonly onClose: () => void
}

/** The whole text of a skill, as a model would read it, and its other files. */
export function SkillDialog({ skill, name, on, confirm, onConfirm, onClose }: SkillDialogProps) {
  const { value, problem } = useRequest('skill.read', { skill, path: SKILL_FILE })
  const head = value?.head
  const wrong = problem ?? head?.problem
  const others = value?.files.filter(({ path }) => path !== SKILL_FILE) ?? []
  return (
    <Dialog
      title={visibleText(name)}
      size="wide"
      onEscape={onClose}
      onOutside={onClose}
      closeLabel="Close"
      eyebrow={
        <VisibleText
          as="p"
          className="meta"
          text={skill.serverId === undefined ? 'Your skill' : `Skill of the server ${head?.serverName ?? skill.serverId}`}
        />
      }
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          {on && confirm === 'Turn on' ? null : (
            <GrantButton
              variant="primary"
              held={!head || wrong !== undefined || value?.text === undefined}
              onGrant={() => head && onConfirm(head)}
            >
              {confirm}
            </GrantButton>
          )}
        </>
      }
    >
      {value && head && wrong === undefined ? (
        <>
          <VisibleText as="p" text={head.description} />
          <p className="soft">
            The model may read this text{others.length > 0 ? ' and the files below' : ''}. It gives no permission, and nothing in
            it is run by itself. After any change it is off until you turn it on again.
          </p>
          <LongText content={{ text: value.text ?? '' }} open />
          {others.length > 0 ? (
            <section aria-label="Other files" className="column">
              {others.map(({ path, size }) => (
                <SkillFile key={path} skill={skill} path={path} size={size} />
              ))}
            </section>
          ) : null}
        </>
      ) : (
        <Awaited label="Reading the skill" problem={wrong} />
      )}
    </Dialog>
  )
}

/** Read when it is opened, and not before (SKILL-3). */
function SkillFile({ skill, path, size }: { readonly skill: SkillRef; readonly path: string; readonly size: number }) {
  const [open, setOpen] = useState(false)
  const { value, problem } = useRequest('skill.read', open ? { skill, path } : undefined)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <VisibleText as="code" text={path} /> <span className="meta">{bytes(size)}</span>
      </summary>
      {value?.text === undefined ? (
        <Awaited label="Reading the file" problem={problem} />
      ) : (
        <LongText content={{ text: value.text }} open />
      )}
    </details>
  )
}
