import { useState } from 'react'
import type { ProviderConfig, ProviderRecord } from '../../../src-shared/contract/settings.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { PairRows } from '../../forms/PairRows.tsx'
import { useSecretPlace } from '../../forms/use-secret-place.ts'
import { ask } from '../../state/ask.ts'
import { RadioGroup } from '../../ui/fields/RadioGroup.tsx'
import { SecretField } from '../../ui/fields/SecretField.tsx'
import { TextArea } from '../../ui/fields/TextArea.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { baseUrlProblem, configOf, headerProblems, type ProviderDraft, providerDraftOf } from './provider-draft.ts'
import { KIND_LABELS } from './provider-labels.ts'

const KINDS: readonly { readonly value: ProviderConfig['kind']; readonly label: string; readonly hint: string }[] = [
  { value: 'anthropic', label: 'Anthropic', hint: 'Claude models, with a key from console.anthropic.com' },
  { value: 'openai', label: 'OpenAI', hint: 'GPT models, with a key from platform.openai.com' },
  { value: 'openai-compatible', label: 'OpenAI-compatible', hint: 'Ollama, LM Studio and other services, by their address' },
]

const NO_ERRORS: ReadonlyMap<string, string> = new Map()

interface ProviderEditorProps {
  /** The edited provider; absent for a new one. */
  readonly provider?: ProviderRecord
  readonly onClose: () => void
}

export function ProviderEditor({ provider, onClose }: ProviderEditorProps) {
  const [draft, setDraft] = useState(() => providerDraftOf(provider))
  const [judged, setJudged] = useState(false)
  const place = useSecretPlace()
  const { kind, name, baseUrl, models, headers } = draft
  const compatible = kind === 'openai-compatible'
  const problem = baseUrlProblem(draft)
  const badHeaders = headerProblems(draft)
  const change = (part: Partial<ProviderDraft>) => setDraft((now) => ({ ...now, ...part }))
  const save = () => {
    setJudged(true)
    if (problem !== undefined || badHeaders.size > 0) return undefined
    const config = configOf(draft)
    const key = draft.key.trim()
    if (provider) return ask('provider.change', { id: provider.id, config })
    return ask('provider.add', { config, ...(key !== '' && { key }) })
  }
  return (
    <FormDialog
      title={provider ? 'Edit provider' : 'Add a provider'}
      verb={provider ? 'Save' : 'Add'}
      onSubmit={save}
      onClose={onClose}
    >
      {provider ? null : <RadioGroup label="Kind" options={KINDS} value={kind} onChange={(kind) => change({ kind })} />}
      <TextField label="Name" placeholder={KIND_LABELS[kind]} value={name} onChange={(name) => change({ name })} />
      <TextField
        code
        label="Base URL"
        required={compatible}
        hint={compatible ? 'For example http://127.0.0.1:11434/v1' : 'Optional.'}
        inputMode="url"
        problem={judged ? problem : undefined}
        value={baseUrl}
        onChange={(baseUrl) => change({ baseUrl })}
      />
      {provider ? (
        <p className="meta">A new address deletes the key and secret headers: enter them again.</p>
      ) : (
        <SecretField
          label="API key"
          hint={`${compatible ? 'Local services need none. ' : ''}Stored ${place}, never shown.`}
          value={draft.key}
          onChange={(key) => change({ key })}
        />
      )}
      <TextArea
        code
        label="More models"
        hint="Model IDs the service does not list, one per line."
        rows={2}
        value={models}
        onChange={(models) => change({ models })}
      />
      <PairRows
        legend="Headers"
        hint={`Optional, for gateways. Sent with each request. Likely secrets are stored ${place}.`}
        nameLabel="Header"
        addLabel="Add header"
        field="headers"
        pairs={headers}
        onChange={(headers) => change({ headers })}
        errors={judged ? badHeaders : NO_ERRORS}
      />
    </FormDialog>
  )
}
