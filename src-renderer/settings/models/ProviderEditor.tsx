import { useRef, useState } from 'react'
import type { ProviderConfig, ProviderRecord } from '../../../src-shared/contract/settings.ts'
import { draftFields } from '../../forms/draft-fields.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { PairRows } from '../../forms/PairRows.tsx'
import { useSecretPlace } from '../../forms/use-secret-place.ts'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { useHost } from '../../state/host-store.ts'
import { useRequest } from '../../state/use-request.ts'
import { Button } from '../../ui/Button.tsx'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { RadioGroup } from '../../ui/fields/RadioGroup.tsx'
import { SecretField } from '../../ui/fields/SecretField.tsx'
import { TextArea } from '../../ui/fields/TextArea.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { baseUrlProblem, headerProblems, type ProviderDraft, providerConfigOf, providerDraftOf } from './provider-draft.ts'
import { KIND_LABELS } from './provider-labels.ts'

const KINDS: readonly { readonly value: ProviderConfig['kind']; readonly label: string; readonly hint: string }[] = [
  { value: 'anthropic', label: 'Anthropic', hint: 'Claude models, with a key from console.anthropic.com' },
  { value: 'openai', label: 'OpenAI', hint: 'GPT models, with a key from platform.openai.com' },
  { value: 'openai-compatible', label: 'OpenAI-compatible', hint: 'Any other service, by its address' },
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
  const advanced = useRef<HTMLDetailsElement>(null)
  const place = useSecretPlace()
  const { kind } = draft
  const compatible = kind === 'openai-compatible'
  const problem = baseUrlProblem(draft)
  const badHeaders = headerProblems(draft)
  const change = (part: Partial<ProviderDraft>) => setDraft((now) => ({ ...now, ...part }))
  const field = draftFields(draft, change, judged && problem !== undefined ? { baseUrl: problem } : {})
  const save = () => {
    setJudged(true)
    if (problem !== undefined || badHeaders.size > 0) {
      // Only a field that shows can take the focus.
      if (advanced.current) advanced.current.open = true
      return undefined
    }
    const config = providerConfigOf(draft)
    const key = draft.key.trim()
    if (provider) return ask('provider.change', { id: provider.id, config })
    return ask('provider.add', { config, ...(key !== '' && { key }) })
  }
  const nameField = <TextField label="Name" placeholder={KIND_LABELS[kind]} {...field('name')} />
  const addressField = (
    <TextField
      code
      label="Base URL"
      required={compatible}
      hint={compatible ? 'For example http://127.0.0.1:11434/v1' : 'Optional.'}
      inputMode="url"
      {...field('baseUrl')}
    />
  )
  const rare = (
    <>
      <TextArea
        code
        label="More models"
        hint="Model IDs the service does not list, one per line."
        rows={2}
        {...field('models')}
      />
      <PairRows
        legend="Headers"
        hint={`Optional, for gateways. Sent with each request. Values that look secret are stored ${place}.`}
        nameLabel="Header"
        addLabel="Add header"
        field="headers"
        {...field('headers')}
        errors={judged ? badHeaders : NO_ERRORS}
      />
    </>
  )
  return (
    <FormDialog
      title={provider ? 'Edit provider' : 'Add a provider'}
      verb={provider ? 'Save' : 'Add'}
      onSubmit={save}
      onClose={onClose}
    >
      {provider ? (
        <>
          {nameField}
          {addressField}
          <p className="meta">A new address deletes the key and secret headers: enter them again.</p>
          {rare}
        </>
      ) : (
        <>
          <LocalServices onAdded={onClose} />
          <RadioGroup label="Kind" options={KINDS} {...field('kind')} />
          {compatible ? addressField : null}
          <SecretField
            label="API key"
            hint={`${compatible ? 'Local services need none. ' : ''}Stored ${place}, never shown.`}
            {...field('key')}
          />
          <Disclosure summary="Advanced" ref={advanced}>
            <div className="column-4">
              {nameField}
              {compatible ? null : addressField}
              {rare}
            </div>
          </Disclosure>
        </>
      )}
    </FormDialog>
  )
}

/** Services that run on this computer and need no key, each with a button that adds it. */
function LocalServices({ onAdded }: { readonly onAdded: () => void }) {
  const providers = useHost((mirror) => mirror.host.providers)
  const { value, problem } = useRequest('provider.findLocal', {})
  const known = new Set(providers.map(({ baseUrl }) => baseUrl))
  const found = value?.found.filter(({ baseUrl }) => !known.has(baseUrl)) ?? []
  const add = async ({ name, baseUrl }: { readonly name: string; readonly baseUrl: string }) => {
    const config: ProviderConfig = { kind: 'openai-compatible', name, baseUrl }
    if (await attempt(ask('provider.add', { config }))) onAdded()
  }
  return (
    <div role="status">
      {problem ? <FailureLine problem={problem} /> : null}
      {value && found.length === 0 ? <p className="meta">Ollama and LM Studio are offered here while they run.</p> : null}
      {found.map((one) => (
        <div className="settings-row" key={one.baseUrl}>
          <span className="column-tight grow">
            <span>
              <VisibleText text={one.name} /> runs on this computer
            </span>
            <VisibleText as="code" className="soft" text={one.baseUrl} />
          </span>
          <Button size="small" onClick={() => void add(one)}>
            Add {visibleText(one.name)}
          </Button>
        </div>
      ))}
    </div>
  )
}
