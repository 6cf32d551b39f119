import type { ReactNode } from 'react'
import type { ConversationId } from '../../src-shared/contract/ids.ts'
import { PLAYGROUND_ID } from '../../src-shared/contract/servers.ts'
import { DEMO_PROVIDER_ID } from '../../src-shared/contract/settings.ts'
import { useHost, useHostShallow } from '../state/host-store.ts'
import { ofKnownProvider } from '../state/models.ts'
import { ADD_PROVIDER, routeHash } from '../state/route.ts'
import { findHead, isUsable, partlyReady, serverProblems, sortedServers } from '../state/selectors.ts'
import { setDraft, useView } from '../state/view-store.ts'
import { counted } from '../ui/amounts.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { visibleText } from '../ui/visible-text.ts'

/** Messages that the Demo model can act on with the Playground's tools. */
const FOR_DEMO = ['add 2 and 3', 'list my notes', 'what can you do?']

/** Most messages to try. */
const STARTERS = 3

/** An empty conversation, with messages to try: for a real model, about the servers that are on. */
export function Suggestions({ conversationId }: { readonly conversationId?: ConversationId }) {
  const chosen = useView((view) => view.modelOfNew)
  const demo = useHost((mirror) => {
    const { providers, settings } = mirror.host
    const model = findHead(mirror, conversationId)?.model ?? ofKnownProvider(providers, chosen) ?? settings.defaultModel
    return model.provider === DEMO_PROVIDER_ID && mirror.host.servers[PLAYGROUND_ID] !== undefined
  })
  const servers = useHostShallow(({ host }) =>
    sortedServers(host.servers)
      .filter((server) => !server.builtIn && isUsable(server) && server.catalog.tools > 0)
      .slice(0, STARTERS)
      .map(({ name }) => name),
  )
  const starters = demo ? FOR_DEMO : servers.map((name) => `What can you do with ${visibleText(name)}?`)
  const partly = useHost((mirror) => partlyReady(mirror.host.servers))
  const { failed, waitingForPerson, starting } = useHostShallow((mirror) => serverProblems(mirror.host.servers))
  const write = (text: string) => {
    setDraft(conversationId ?? 'new', text)
    document.querySelector<HTMLTextAreaElement>('.composer-text')?.focus()
  }
  return (
    <EmptyState
      title="How can I help?"
      actions={starters.map((text) => (
        <Button key={text} size="small" onClick={() => write(text)}>
          {text}
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
