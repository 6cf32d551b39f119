import { type ClipboardEvent, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/fields.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { type Command, readCommandLine, splitCommandLine } from './command-line.ts'
import { PairRows } from './PairRows.tsx'
import { type PastedServer, readPastedConfig } from './pasted-config.ts'
import type { DraftField, ServerDraft } from './server-draft.ts'

export interface LocalFieldsProps {
  readonly draft: ServerDraft
  readonly onChange: (part: Partial<ServerDraft>) => void
  readonly errors: ReadonlyMap<DraftField, string>
  /** Choose the working folder. */
  readonly onBrowse: () => void
  /** The command box was given a whole configuration or command line. */
  readonly onPasted: (servers: readonly PastedServer[]) => void
}

/** How a program on this computer is started. */
export function LocalFields({ draft, onChange, errors, onBrowse, onPasted }: LocalFieldsProps) {
  const [pasted, setPasted] = useState<Command | undefined>()
  const split = splitCommandLine(draft.args)
  const changeCommand = (command: string) => {
    const servers = readPastedConfig(command)
    if (servers) onPasted(servers)
    else onChange({ command })
  }
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const text = event.clipboardData.getData('text')
    const servers = readPastedConfig(text)
    const line = servers || draft.command !== '' ? undefined : readCommandLine(text)
    if (!servers && !line) return
    event.preventDefault()
    onPasted(servers ?? (line ? [{ ...line, headers: {} }] : []))
  }
  const typedLine = /\s/.test(draft.command.trim()) && draft.args === '' ? readCommandLine(draft.command) : undefined
  return (
    <>
      <TextField
        code
        required
        label="Command"
        hint="The program to start. A whole command line or an mcpServers snippet can be pasted here."
        problem={errors.get('command')}
        autoCapitalize="off"
        value={draft.command}
        onChange={changeCommand}
        onPaste={paste}
        onBlur={() => setPasted(typedLine)}
      />
      {pasted && typedLine ? (
        <div className="editor-notice" role="status">
          <span>This looks like a whole command line.</span>
          <Button size="small" onClick={() => onPasted([{ ...typedLine, headers: {} }])}>
            Split it
          </Button>
        </div>
      ) : null}
      <TextField
        code
        label="Arguments"
        hint="One line. Quotes keep words with spaces together; nothing else is special, no $ and no *."
        problem={errors.get('args') ?? (split.ok ? undefined : split.error)}
        autoCapitalize="off"
        value={draft.args}
        onChange={(args) => onChange({ args })}
      />
      {split.ok && split.words.length > 0 ? (
        <ol className="words" aria-label="Parsed list">
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
        hint="Only these and a small safe base reach the program. Values that look secret are kept in the secret store."
        nameLabel="Variable"
        addLabel="Add variable"
        field="env"
        pairs={draft.env}
        onChange={(env) => onChange({ env })}
        errors={errors}
      />
      <div className="editor-folder">
        <TextField
          code
          label="Working folder"
          hint="Where the program starts. Your home folder unless set."
          problem={errors.get('cwd')}
          value={draft.cwd}
          onChange={(cwd) => onChange({ cwd })}
        />
        <Button onClick={onBrowse}>Browse …</Button>
      </div>
    </>
  )
}
