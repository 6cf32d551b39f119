import { useRef, useState } from 'react'
import { draftFields } from '../../forms/draft-fields.ts'
import { PairRows } from '../../forms/PairRows.tsx'
import { useSecretPlace } from '../../forms/use-secret-place.ts'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { ArgumentList } from '../labels/ArgumentList.tsx'
import { type ParsedCommand, readCommandLine, splitCommandLine } from '../labels/command-line.ts'
import { type Recognised, readPastedConfig } from './pasted-config.ts'
import type { DraftFieldsProps } from './server-draft.ts'

interface LocalFieldsProps extends DraftFieldsProps {
  /** Chooses the working folder. */
  readonly onBrowse: () => void
  /** The whole command line that stands in the command field. */
  readonly typed: Recognised | undefined
  /** Called when the command field has a configuration of servers or a whole command line. */
  readonly onFound: (found: Recognised, text: string) => void
}

/** The fields of a program on this computer. */
export function LocalFields(props: LocalFieldsProps) {
  const { draft, onChange, errors, onBrowse, typed, onFound } = props
  const [offered, setOffered] = useState(false)
  const field = draftFields(draft, onChange, Object.fromEntries(errors))
  const place = useSecretPlace()
  const args = useRef<HTMLInputElement>(null)
  const split = splitCommandLine(draft.args)
  const changeCommand = (command: string) => {
    const servers = readPastedConfig(command)
    setOffered(false)
    if (servers) onFound({ is: 'servers', servers }, command)
    else onChange({ command })
  }
  const splitLine = (line: ParsedCommand) => {
    onFound({ is: 'line', line }, draft.command)
    setOffered(false)
    // The clicked button disappears; the focus stays in the form.
    args.current?.focus()
  }
  const commandLine = /\s/.test(draft.command.trim()) && draft.args === '' ? readCommandLine(draft.command) : undefined
  return (
    <>
      <TextField
        code
        required
        label="Command"
        name="command"
        problem={errors.get('command')}
        autoCapitalize="off"
        value={draft.command}
        onChange={changeCommand}
        onBlur={() => (typed ? onFound(typed, draft.command) : setOffered(commandLine !== undefined))}
      />
      {offered && commandLine ? (
        <div className="editor-notice line framed" role="status">
          <span>This looks like a command line.</span>
          <Button size="small" onClick={() => splitLine(commandLine)}>
            Split
          </Button>
        </div>
      ) : null}
      <TextField
        ref={args}
        code
        label="Arguments"
        name="args"
        hint="Quote arguments with spaces. $ and * have no special meaning."
        autoCapitalize="off"
        {...field('args')}
        problem={errors.get('args') ?? (split.ok ? undefined : split.error)}
      />
      {split.ok && split.words.length > 0 ? <ArgumentList label="Parsed list" args={split.words} /> : null}
      <PairRows
        legend="Environment"
        hint={`Added to a minimal environment. Values that look secret are stored ${place}.`}
        nameLabel="Variable"
        addLabel="Add variable"
        field="env"
        {...field('env')}
        errors={errors}
      />
      <TextField
        code
        label="Working folder"
        name="cwd"
        hint="Default: your home folder."
        {...field('cwd')}
        beside={<Button onClick={onBrowse}>Browse …</Button>}
      />
    </>
  )
}
