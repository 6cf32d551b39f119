import { useRef, useState } from 'react'
import { PairRows } from '../../forms/PairRows.tsx'
import { useSecretPlace } from '../../forms/use-secret-place.ts'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { type Command, readCommandLine, splitCommandLine } from '../labels/command-line.ts'
import { type Recognised, readPastedConfig } from './pasted-config.ts'
import type { DraftField, ServerDraft } from './server-draft.ts'

export interface LocalFieldsProps {
  readonly draft: ServerDraft
  readonly onChange: (part: Partial<ServerDraft>) => void
  readonly errors: ReadonlyMap<DraftField, string>
  /** Choose the working folder. */
  readonly onBrowse: () => void
  /** Read from the command box, which holds a whole command line. */
  readonly typed: Recognised | undefined
  /** The command box was given a configuration of servers, or a whole command line. */
  readonly onFound: (found: Recognised, text: string) => void
}

/** How a program on this computer is started. */
export function LocalFields(props: LocalFieldsProps) {
  const { draft, onChange, errors, onBrowse, typed, onFound } = props
  const [offered, setOffered] = useState(false)
  const place = useSecretPlace()
  const args = useRef<HTMLInputElement>(null)
  const split = splitCommandLine(draft.args)
  const changeCommand = (command: string) => {
    const servers = readPastedConfig(command)
    setOffered(false)
    if (servers) onFound({ is: 'servers', servers }, command)
    else onChange({ command })
  }
  const takeApart = (line: Command) => {
    onFound({ is: 'line', line }, draft.command)
    setOffered(false)
    // The clicked button disappears; the focus stays in the form.
    args.current?.focus()
  }
  const typedLine = /\s/.test(draft.command.trim()) && draft.args === '' ? readCommandLine(draft.command) : undefined
  return (
    <>
      <TextField
        code
        required
        label="Command"
        name="command"
        data-field="command"
        problem={errors.get('command')}
        autoCapitalize="off"
        value={draft.command}
        onChange={changeCommand}
        onBlur={() => (typed ? onFound(typed, draft.command) : setOffered(typedLine !== undefined))}
      />
      {offered && typedLine ? (
        <div className="editor-notice line framed" role="status">
          <span>This looks like a command line.</span>
          <Button size="small" onClick={() => takeApart(typedLine)}>
            Split
          </Button>
        </div>
      ) : null}
      <TextField
        ref={args}
        code
        label="Arguments"
        name="args"
        data-field="args"
        hint="Quote arguments with spaces. $ and * have no special meaning."
        problem={errors.get('args') ?? (split.ok ? undefined : split.error)}
        autoCapitalize="off"
        value={draft.args}
        onChange={(args) => onChange({ args })}
      />
      {split.ok && split.words.length > 0 ? (
        <ol className="words actions" aria-label="Parsed list">
          {split.words.map((word, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a word is its place
            <li key={at}>
              <code>{word === '' ? <span className="soft">empty</span> : <VisibleText text={word} />}</code>
            </li>
          ))}
        </ol>
      ) : null}
      <PairRows
        legend="Environment"
        hint={`Added to a minimal environment. Likely secrets are stored ${place}.`}
        nameLabel="Variable"
        addLabel="Add variable"
        field="env"
        pairs={draft.env}
        onChange={(env) => onChange({ env })}
        errors={errors}
      />
      <TextField
        code
        label="Working folder"
        name="cwd"
        data-field="cwd"
        hint="Default: your home folder."
        problem={errors.get('cwd')}
        value={draft.cwd}
        onChange={(cwd) => onChange({ cwd })}
        beside={<Button onClick={onBrowse}>Browse …</Button>}
      />
    </>
  )
}
