import { useState } from 'react'
import { type ExportedConfig, OTHER_HOSTS, type OtherHost } from '../../../src-shared/contract/imports.ts'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import { CodeBlock } from '../../content/text/CodeBlock.tsx'
import { saveText } from '../../state/save-file.ts'
import { useRequest } from '../../state/use-request.ts'
import { counted } from '../../ui/amounts.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { Select } from '../../ui/fields/Select.tsx'
import { TextList } from '../../ui/TextList.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import './imports.css'

const HOSTS = Object.keys(OTHER_HOSTS) as OtherHost[] // the keys of the table

const LANGUAGES = ['json', 'toml', 'yaml']

/** Servers in the format of another app, to copy or save. */
export function ExportDialog({ servers, onClose }: { readonly servers: readonly ServerRecord[]; readonly onClose: () => void }) {
  const [host, setHost] = useState<OtherHost>('claude-desktop')
  // Servers may change behind the dialog; it exports those of its opening.
  const [serverIds] = useState(() => servers.map(({ id }) => id))
  const { value: exported, problem } = useRequest('server.export', { host, serverIds })
  const [only] = servers.length === 1 ? servers : []
  return (
    <Dialog
      title={only ? `Export ${visibleText(only.name)}` : `Export ${counted(serverIds.length, 'server')}`}
      size="wide"
      closeLabel="Close"
      onEscape={onClose}
      onOutside={onClose}
    >
      <div className="column-4">
        <Select
          label="For"
          options={HOSTS.map((value) => ({ value, label: OTHER_HOSTS[value] }))}
          value={host}
          onChange={setHost}
        />
        <FailureLine framed problem={problem} />
        {exported ? <Exported exported={exported} /> : null}
      </div>
    </Dialog>
  )
}

function Exported({ exported: { text, fileName, path, notes } }: { readonly exported: ExportedConfig }) {
  return (
    <>
      <p>Stored secrets are left out.</p>
      <TextList texts={notes} />
      {path === undefined ? null : (
        <p className="meta">
          Its place: <code>{path}</code>
        </p>
      )}
      <CodeBlock
        code={text}
        language={LANGUAGES.find((one) => fileName.endsWith(`.${one}`))}
        name={fileName}
        actions={
          <Button size="small" variant="quiet" onClick={() => saveText(text, fileName, 'text/plain')}>
            Save as file
          </Button>
        }
      />
    </>
  )
}
