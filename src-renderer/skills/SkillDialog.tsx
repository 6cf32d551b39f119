import { SKILL_FILE, type SkillHead, type SkillRef } from '../../src-shared/contract/skills.ts'
import { LongText } from '../content/text/LongText.tsx'
import { useRequest } from '../state/use-request.ts'
import { bytes } from '../ui/amounts.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Disclosure } from '../ui/Disclosure.tsx'
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
      speaker={
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
            The model may read this text{others.length > 0 ? ' and the files below' : ''}. It grants no permission and runs
            nothing by itself. After any change it is off until you turn it on again.
          </p>
          <LongText content={{ text: value.text ?? '' }} open />
          {others.length > 0 ? (
            <section aria-label="Other files" className="column">
              {others.map(({ path, size }) => (
                <Disclosure
                  key={path}
                  row
                  summary={
                    <>
                      <VisibleText as="code" text={path} /> <span className="meta">{bytes(size)}</span>
                    </>
                  }
                >
                  {() => <SkillFile skill={skill} path={path} />}
                </Disclosure>
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

/** Reads a file of a skill, once it is opened (SKILL-3). */
function SkillFile({ skill, path }: { readonly skill: SkillRef; readonly path: string }) {
  const { value, problem } = useRequest('skill.read', { skill, path })
  if (value?.text === undefined) return <Awaited label="Reading the file" problem={problem} />
  return <LongText content={{ text: value.text }} open />
}
