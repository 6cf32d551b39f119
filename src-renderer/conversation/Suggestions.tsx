import type { ReactNode } from 'react'
import type { ConversationId } from '../../src-shared/contract/ids.ts'
import { PLAYGROUND_ID } from '../../src-shared/contract/servers.ts'
import { DEMO_PROVIDER_ID } from '../../src-shared/contract/settings.ts'
import { attempt } from '../state/attempt.ts'
import { useHost, useHostShallow } from '../state/host-store.ts'
import { ofKnownProvider } from '../state/models.ts'
import { ADD_PROVIDER, routeHash } from '../state/route.ts'
import { findHead, partlyReady, serverProblems } from '../state/selectors.ts'
import { type Picker, setDraft, setPicker, useView } from '../state/view-store.ts'
import { counted } from '../ui/amounts.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { attachResource } from './composer/choose-offer.ts'
import type { Starter } from './composer/starters.ts'
import { useStarters } from './composer/use-starters.ts'

/** Messages that the Demo model can act on with the Playground's tools. */
const FOR_DEMO = ['add 2 and 3', 'list my notes', 'what can you do?'].map((label): Starter => ({ is: 'write', label }))

/** An empty conversation, with messages to try: for a real model, about the servers that are on. */
export function Suggestions({ conversationId }: { readonly conversationId?: ConversationId }) {
  const chosen = useView((view) => view.modelOfNew)
  const model = useHost((mirror) => {
    const { providers, settings } = mirror.host
    return findHead(mirror, conversationId)?.model ?? ofKnownProvider(providers, chosen) ?? settings.defaultModel
  })
  const hasPlayground = useHost(({ host }) => host.servers[PLAYGROUND_ID] !== undefined)
  const demo = model.provider === DEMO_PROVIDER_ID && hasPlayground
  const found = useStarters(!demo)
  const starters = demo ? FOR_DEMO : found
  const partly = useHost((mirror) => partlyReady(mirror.host.servers))
  const { failed, waitingForPerson, starting } = useHostShallow((mirror) => serverProblems(mirror.host.servers))
  const write = (text: string) => {
    setDraft(conversationId ?? 'new', text)
    document.querySelector<HTMLTextAreaElement>('.composer-text')?.focus()
  }
  const begin = (starter: Starter) => {
    const picker = (kind: Picker['kind']): Picker => ({ kind, conversation: conversationId, model })
    switch (starter.is) {
      case 'write':
        return write(starter.label)
      case 'prompt':
        return setPicker({ ...picker('prompts'), prompt: starter })
      case 'resource':
        return void attempt(attachResource(picker('resources'), starter.chosen))
    }
  }
  return (
    <EmptyState
      title="How can I help?"
      actions={starters.map((starter) => (
        <Button key={starter.label} size="small" onClick={() => begin(starter)}>
          {starter.label}
        </Button>
      ))}
    >
      <p>
        {demo ? '' : 'Ask anything. '}You approve tools before they run.
        {demo ? (
          <>
            {' '}
            The Demo model is not an AI: <a href={routeHash(ADD_PROVIDER)}>connect a model</a>, or try one of these:
          </>
        ) : null}
      </p>
      {partly && starting ? <p className="meta">{partly}. You can write meanwhile; tools join when they are ready.</p> : null}
      {waitingForPerson > 0 ? (
        <Trouble>{waitingForPerson === 1 ? '1 server needs you.' : `${waitingForPerson} servers need you.`}</Trouble>
      ) : null}
      {failed > 0 ? <Trouble>{counted(failed, 'server')} failed.</Trouble> : null}
    </EmptyState>
  )
}

function Trouble({ children }: { readonly children: ReactNode }) {
  return (
    <p className="meta">
      {children} <a href={routeHash({ section: 'servers' })}>Show</a>
    </p>
  )
}
