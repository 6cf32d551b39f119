import { useState } from 'react'
import type { ModelTrial, ProviderRecord } from '../../../src-shared/contract/settings.ts'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { lacksKey } from '../../state/models.ts'
import { Button } from '../../ui/Button.tsx'
import { ProblemCard } from '../../ui/ProblemCard.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { testLabel, trialLabel } from './provider-labels.ts'

/** Lists the models of a provider, which costs nothing, or cancels that. The result is in its record. */
export function TestButton({ provider: { id, name, state } }: { readonly provider: ProviderRecord }) {
  const [asking, setAsking] = useState<AbortController>()
  const begin = async () => {
    const giveUp = new AbortController()
    setAsking(giveUp)
    await attempt(ask('provider.refresh', { id }, giveUp.signal))
    setAsking(undefined)
  }
  return (
    <Button
      size="small"
      disabled={state === 'looking' && !asking}
      aria-description={visibleText(name)}
      onClick={() => (asking ? asking.abort() : void begin())}
    >
      {asking ? 'Cancel' : 'Test'}
    </Button>
  )
}

/** The result of the last test, and a button for a test message, which costs a few tokens. */
export function ProviderTest({ provider }: { readonly provider: ProviderRecord }) {
  return (
    <>
      <div className="provider-test line" role="status">
        <span className="meta">{testLabel(provider)}</span>
        {provider.problem ? <ProblemCard problem={provider.problem} /> : null}
      </div>
      {provider.models.length > 0 && !lacksKey(provider) ? <TestMessage provider={provider} /> : null}
    </>
  )
}

function TestMessage({ provider: { id, name } }: { readonly provider: ProviderRecord }) {
  const [sending, setSending] = useState<AbortController>()
  const [trial, setTrial] = useState<ModelTrial>()
  const send = async () => {
    const giveUp = new AbortController()
    setSending(giveUp)
    setTrial(undefined)
    const [answer] = (await attempt(ask('provider.try', { id }, giveUp.signal))) ?? []
    setSending(undefined)
    setTrial(answer)
  }
  return (
    <>
      <div className="line">
        <Button size="small" aria-description={visibleText(name)} onClick={() => (sending ? sending.abort() : void send())}>
          {sending ? 'Cancel' : 'Send a test message'}
        </Button>
        <span className="meta">{sending ? 'Waiting for the answer …' : 'Costs a few tokens.'}</span>
      </div>
      <div className="provider-test line" role="status">
        {trial && 'problem' in trial ? <ProblemCard problem={trial.problem} /> : null}
        {trial && 'answer' in trial ? <span className="meta">{trialLabel(trial)}</span> : null}
      </div>
    </>
  )
}
