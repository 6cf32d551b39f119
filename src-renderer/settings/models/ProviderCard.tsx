import { type FormEvent, type MouseEvent, useLayoutEffect, useRef, useState } from 'react'
import { DEMO_PROVIDER_ID, type ModelRef, type ProviderRecord } from '../../../src-shared/contract/settings.ts'
import { ModelWindowDialog } from '../../forms/models/ModelWindowDialog.tsx'
import { useModelList } from '../../forms/models/use-model-list.tsx'
import { useSecretPlace } from '../../forms/use-secret-place.ts'
import { ask, changeSettings } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { useHost } from '../../state/host-store.ts'
import { lacksKey } from '../../state/models.ts'
import { counted } from '../../ui/amounts.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { SecretField } from '../../ui/fields/SecretField.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { StatusDot } from '../../ui/StatusDot.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { ProviderEditor } from './ProviderEditor.tsx'
import { ProviderTest, TestButton } from './ProviderTest.tsx'
import { KEY_LABELS, KIND_LABELS, modelFacts, providerLabel } from './provider-labels.ts'

/** A provider with its key, models and problems. */
export function ProviderCard({ provider }: { readonly provider: ProviderRecord }) {
  const [doing, setDoing] = useState<'nothing' | 'editing' | 'removing'>('nothing')
  const stop = () => setDoing('nothing')
  const name = visibleText(provider.name)
  return (
    <section className="provider padded column" aria-label={name}>
      <div className="line">
        <VisibleText as="h3" text={provider.name} />
        <StatusDot {...providerLabel(provider)} />
        <span className="grow" />
        {provider.kind === 'demo' ? null : (
          <>
            <TestButton provider={provider} />
            <Menu
              label={`Actions for ${name}`}
              items={[
                { label: 'Edit', onSelect: () => setDoing('editing') },
                { label: 'Remove', danger: true, onSelect: () => setDoing('removing') },
              ]}
            />
          </>
        )}
      </div>
      <div className="meta">
        {provider.kind === 'demo' ? (
          'Scripted, not an AI. Try: use add with a=2 b=3'
        ) : (
          <>
            {KIND_LABELS[provider.kind]}
            {provider.baseUrl ? (
              <>
                {' '}
                · <VisibleText text={provider.baseUrl} />
              </>
            ) : null}
          </>
        )}
      </div>
      {provider.kind === 'demo' ? null : (
        <>
          <ProviderTest provider={provider} />
          <FirstChoice provider={provider} />
          <FirstUse provider={provider} />
          <KeyLine provider={provider} />
        </>
      )}
      {provider.models.length > 0 ? <ModelList provider={provider} /> : null}
      {doing === 'editing' ? <ProviderEditor provider={provider} onClose={stop} /> : null}
      {doing === 'removing' ? (
        <ConfirmDialog
          title={`Remove ${name}?`}
          confirm="Remove"
          danger
          onCancel={stop}
          onConfirm={() => {
            stop()
            void attempt(ask('provider.remove', { id: provider.id }))
          }}
        >
          <p>Its key is deleted. Its conversations are kept and need another model.</p>
        </ConfirmDialog>
      ) : null}
    </section>
  )
}

/** Offers to replace the Demo as the default model. */
function FirstChoice({ provider }: { readonly provider: ProviderRecord }) {
  const demo = useHost((mirror) => mirror.host.settings.defaultModel.provider === DEMO_PROVIDER_ID)
  const [first] = provider.models
  if (!demo || !first) return null
  const defaultModel = { provider: provider.id, model: first.id }
  return (
    <div className="line">
      <Button
        size="small"
        onClick={(event) => {
          toFirstButton(event)
          void attempt(changeSettings({ defaultModel }))
        }}
      >
        Use {visibleText(first.name)} for new conversations
      </Button>
      <span className="meta">Current default: Demo</span>
    </div>
  )
}

/** Keeps the focus in the section when the pressed button disappears. */
const toFirstButton = ({ currentTarget }: MouseEvent) => currentTarget.closest('section')?.querySelector('button')?.focus()

/** Says that new conversations use this provider, and asks about titles, until the person answers that. */
function FirstUse({ provider }: { readonly provider: ProviderRecord }) {
  const { defaultModel, titleModel } = useHost((mirror) => mirror.host.settings)
  const button = useRef<HTMLButtonElement>(null)
  const { buttonProps, list } = useModelList(
    () => button.current,
    defaultModel,
    (defaultModel) => void attempt(changeSettings({ defaultModel })),
  )
  const model = provider.models.find(({ id }) => id === defaultModel.model)
  if (titleModel !== undefined || defaultModel.provider !== provider.id || !model) return null
  const name = visibleText(model.name)
  const answer = (titleModel: ModelRef | null) => (event: MouseEvent) => {
    toFirstButton(event)
    void attempt(changeSettings({ titleModel }))
  }
  return (
    <div className="ui-offer column-1 small framed">
      <div className="line">
        <span className="grow">New conversations use {name} now.</span>
        <Button size="small" variant="quiet" ref={button} aria-haspopup="dialog" {...buttonProps}>
          Choose another
        </Button>
        {list}
      </div>
      <div className="line">
        <span className="grow">
          Let {name} name conversations? It reads the beginning once: at most about 1,200 tokens a conversation.
        </span>
        <Button size="small" onClick={answer(defaultModel)}>
          Name them
        </Button>
        <Button size="small" variant="quiet" onClick={answer(null)}>
          No
        </Button>
      </div>
    </div>
  )
}

/** Sets a key. It is never shown, only where it is stored. */
function KeyLine({ provider }: { readonly provider: ProviderRecord }) {
  const [replacing, setReplacing] = useState(false)
  const [typed, setTyped] = useState('')
  const place = useSecretPlace()
  const word = KEY_LABELS[provider.key]
  const asks = lacksKey(provider)
  const field = useRef<HTMLInputElement>(null)
  const replace = useRef<HTMLButtonElement>(null)
  const wasReplacing = useRef(false)
  useLayoutEffect(() => {
    if (replacing) field.current?.focus()
    else if (wasReplacing.current) replace.current?.focus()
    wasReplacing.current = replacing
  }, [replacing])
  const close = () => {
    setTyped('')
    setReplacing(false)
  }
  const save = async (event: FormEvent) => {
    event.preventDefault()
    const key = typed.trim()
    if (key === '' || !(await attempt(ask('provider.setKey', { id: provider.id, key })))) return
    close()
  }
  return (
    <div>
      <div className="line">
        <span className="soft">Key:</span>
        <StatusDot {...word} />
        {asks || replacing ? null : (
          <Button ref={replace} size="small" variant="quiet" aria-description={provider.name} onClick={() => setReplacing(true)}>
            {provider.key === 'not-needed' ? 'Enter a key' : 'Replace'}
          </Button>
        )}
        {provider.key === 'saved' || provider.key === 'memory-only' ? (
          <Button
            size="small"
            variant="quiet"
            aria-description={provider.name}
            onClick={() => void attempt(ask('provider.setKey', { id: provider.id, key: null }))}
          >
            Forget
          </Button>
        ) : null}
      </div>
      {word.sentence ? <p className="meta">{word.sentence}</p> : null}
      {asks || replacing ? (
        <form className="provider-key-form actions" onSubmit={(event) => void save(event)}>
          <SecretField ref={field} label="API key" hint={`Stored ${place}, never shown.`} value={typed} onChange={setTyped} />
          <Button type="submit" disabled={typed.trim() === ''}>
            Save key
          </Button>
          {replacing ? <Button onClick={close}>Cancel</Button> : null}
        </form>
      ) : null}
    </div>
  )
}

function ModelList({ provider }: { readonly provider: ProviderRecord }) {
  const [setting, setSetting] = useState<string>()
  const chosen = provider.models.find(({ id }) => id === setting)
  return (
    <Disclosure summary={counted(provider.models.length, 'model')}>
      <ul className="provider-models">
        {provider.models.map((model) => (
          <li key={model.id}>
            <VisibleText text={model.name} />
            {model.name === model.id ? null : (
              <code className="soft">
                {' '}
                <VisibleText text={model.id} />
              </code>
            )}
            <span className="meta">{modelFacts(model)}</span>
            {provider.kind === 'demo' ? null : (
              <Button
                size="small"
                variant="quiet"
                aria-label={`Context window of ${visibleText(model.name)}`}
                onClick={() => setSetting(model.id)}
              >
                {model.contextWindow === undefined ? 'Set context window' : 'Context window'}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {chosen ? <ModelWindowDialog provider={provider.id} model={chosen} onClose={() => setSetting(undefined)} /> : null}
    </Disclosure>
  )
}
