import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { isLoopback } from '../../src-shared/base/loopback.ts'
import { MODEL_LIMIT, type ProviderConfig, type ProviderRecord } from '../../src-shared/contract/settings.ts'
import { SecretField } from '../forms/SecretField.tsx'
import { addProvider, changeProvider, failureText } from '../state/actions.ts'
import { useSecretPlace } from '../state/secret-place.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { RadioGroup, TextArea, TextField } from '../ui/fields.tsx'
import { KIND_WORDS } from './provider-words.ts'

type Kind = ProviderConfig['kind']

const KINDS: readonly { readonly value: Kind; readonly label: string; readonly hint: string }[] = [
  { value: 'anthropic', label: 'Anthropic', hint: 'Claude models, with a key from console.anthropic.com' },
  { value: 'openai', label: 'OpenAI', hint: 'GPT models, with a key from platform.openai.com' },
  { value: 'openai-compatible', label: 'OpenAI-compatible', hint: 'Ollama, LM Studio and other services, by their address' },
]

export interface ProviderEditorProps {
  /** The provider to edit; a new one without it. */
  readonly provider?: ProviderRecord
  readonly onClose: () => void
}

/** The dialog "Add a provider" or "Edit provider". */
export function ProviderEditor({ provider, onClose }: ProviderEditorProps) {
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const [kind, setKind] = useState<Kind>(provider && provider.kind !== 'demo' ? provider.kind : 'anthropic')
  const [name, setName] = useState(provider?.name ?? '')
  const [baseUrl, setBaseUrl] = useState(provider?.baseUrl ?? '')
  const [key, setKey] = useState('')
  const [models, setModels] = useState((provider?.ownModels ?? []).join('\n'))
  const [failures, setFailures] = useState(0)
  const [refusal, setRefusal] = useState<string | undefined>()
  const [saving, setSaving] = useState(false)
  const place = useSecretPlace()
  const listed = models.split('\n').flatMap((line) => line.trim() || [])
  const urlProblem = addressProblem(kind, baseUrl)
  const listProblem = listed.length > MODEL_LIMIT ? `Enter at most ${MODEL_LIMIT} models` : undefined
  useEffect(() => {
    if (failures > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [failures])
  const save = async (event: FormEvent) => {
    event.preventDefault()
    // The button stays enabled: disabling it would drop the focus out of the dialog.
    if (saving) return
    if ((urlProblem ?? listProblem) !== undefined) {
      setFailures((count) => count + 1)
      return
    }
    const config: ProviderConfig = {
      kind,
      name: name.trim() || KIND_WORDS[kind],
      ...(baseUrl.trim() !== '' && { baseUrl: baseUrl.trim() }),
      models: listed,
    }
    setSaving(true)
    try {
      if (provider) await changeProvider(provider.id, config)
      else await addProvider(config, key.trim() || undefined)
      onClose()
    } catch (error) {
      setRefusal(failureText(error))
      setSaving(false)
    }
  }
  return (
    <Dialog
      title={provider ? 'Edit provider' : 'Add a provider'}
      onEscape={onClose}
      closeLabel="Close"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={id}>
            {provider ? 'Change' : 'Add'}
          </Button>
        </>
      }
    >
      <form id={id} ref={form} className="settings-fields" noValidate onSubmit={(event) => void save(event)}>
        {refusal ? (
          <p className="settings-refusal" role="alert">
            {refusal}
          </p>
        ) : null}
        {provider ? null : <RadioGroup label="Kind" options={KINDS} value={kind} onChange={setKind} />}
        <TextField label="Name" placeholder={KIND_WORDS[kind]} value={name} onChange={setName} />
        <TextField
          code
          label="Base URL"
          required={kind === 'openai-compatible'}
          hint={kind === 'openai-compatible' ? 'For example http://127.0.0.1:11434/v1' : 'Only to override the usual address.'}
          inputMode="url"
          problem={failures > 0 ? urlProblem : undefined}
          value={baseUrl}
          onChange={setBaseUrl}
        />
        {provider ? (
          <p className="meta">A key belongs to its address: with another one it is forgotten and has to be entered again.</p>
        ) : (
          <SecretField
            label="API key"
            hint={`${kind === 'openai-compatible' ? 'Local services need none. ' : ''}It is kept ${place}, and never shown again.`}
            value={key}
            onChange={setKey}
          />
        )}
        <TextArea
          code
          label="More models"
          hint="Identifiers that the service serves without listing them, one a line."
          rows={2}
          problem={failures > 0 ? listProblem : undefined}
          value={models}
          onChange={setModels}
        />
      </form>
    </Dialog>
  )
}

function addressProblem(kind: Kind, text: string): string | undefined {
  if (text.trim() === '') return kind === 'openai-compatible' ? 'Enter the address of the service' : undefined
  if (!URL.canParse(text.trim())) return 'This is not an address. It looks like http://127.0.0.1:11434/v1'
  const { protocol, hostname } = new URL(text.trim())
  if (!/^https?:$/.test(protocol)) return 'The address starts with https:// or http://'
  return protocol === 'https:' || isLoopback(hostname) ? undefined : 'Outside this computer the address starts with https://'
}
