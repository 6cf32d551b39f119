import { useCallback, useEffect, useState } from 'react'
import type { Confirm, ResourceContent } from '../../src-shared/contract/attachments.ts'
import type { ServerId } from '../../src-shared/contract/ids.ts'
import { ask } from '../state/ask.ts'
import { failureText } from '../state/attempt.ts'
import { useResourceTopic } from '../state/use-topic.ts'
import { bytes, counted, grouped } from '../ui/amounts.ts'
import { Button } from '../ui/Button.tsx'
import { ProblemCard } from '../ui/ProblemCard.tsx'
import { duration, useNow } from '../ui/time.ts'
import { VisibleText } from '../ui/VisibleText.tsx'
import { AnnotationHints } from './AnnotationHints.tsx'
import './text/content.css'
import { Disclosure } from '../ui/Disclosure.tsx'
import { ResourceDiff } from './ResourceDiff.tsx'
import { ResourceItemView } from './ResourceItemView.tsx'
import { SizeQuestion } from './SizeQuestion.tsx'
import { EmphasisedText } from './text/EmphasisedText.tsx'

type Reading =
  | { readonly is: 'reading'; readonly since: number }
  | { readonly is: 'confirm'; readonly ask: Confirm }
  | { readonly is: 'read'; readonly resource: ResourceContent; readonly before?: ResourceContent }
  | { readonly is: 'failed'; readonly why: string }

interface ResourceReaderProps {
  readonly serverId: ServerId
  readonly uri: string
  readonly onRead?: (resource: ResourceContent) => void
}

/** Reads a resource from its server, says when it has changed since, and shows the difference. */
export function ResourceReader({ serverId, uri, onRead }: ResourceReaderProps) {
  const [reading, setReading] = useState<Reading>(() => ({ is: 'reading', since: Date.now() }))
  const [attempt, setAttempt] = useState({ round: 0, confirmed: false })
  const topic = useResourceTopic(serverId, uri)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round reads the same once more
  useEffect(() => {
    const giveUp = new AbortController()
    const before = reading.is === 'read' ? reading.resource : undefined
    if (!before) setReading({ is: 'reading', since: Date.now() })
    ask('resource.read', { serverId, uri, ...(attempt.confirmed && { confirmed: true }) }, giveUp.signal).then(
      (answer) => {
        if (giveUp.signal.aborted) return
        if (answer.is === 'confirm') return setReading({ is: 'confirm', ask: answer })
        setReading({ is: 'read', resource: answer.resource, ...(before ? { before } : {}) })
        onRead?.(answer.resource)
      },
      (error: unknown) => {
        if (!giveUp.signal.aborted) setReading({ is: 'failed', why: failureText(error) })
      },
    )
    return () => giveUp.abort()
  }, [serverId, uri, attempt])
  const readAgain = useCallback(
    (confirmed: boolean) => setAttempt(({ round, confirmed: was }) => ({ round: round + 1, confirmed: was || confirmed })),
    [],
  )
  switch (reading.is) {
    case 'reading':
      return <Waiting since={reading.since} />
    case 'confirm':
      return <SizeQuestion asked={reading.ask} label="Read anyway" onConfirm={() => readAgain(true)} />
    case 'failed':
      return <ProblemCard problem={reading.why} onRetry={() => readAgain(false)} />
    case 'read': {
      const changed = topic?.updatedAt !== undefined && topic.updatedAt > reading.resource.readAt
      return (
        <>
          {changed ? (
            <ProblemCard
              level="info"
              problem="Changed since you read it."
              actions={
                <Button size="small" onClick={() => readAgain(false)}>
                  Read again
                </Button>
              }
            />
          ) : null}
          {reading.before ? (
            <Disclosure summary="Changes" className="content-structured small">
              <ResourceDiff before={reading.before.items} now={reading.resource.items} />
            </Disclosure>
          ) : null}
          <Shown resource={reading.resource} subscribed={topic?.subscribed === true} />
        </>
      )
    }
  }
}

function Waiting({ since }: { readonly since: number }) {
  const now = useNow(1_000)
  return (
    <div className="content-reading line" role="status">
      <progress aria-label="Reading" />
      <span className="meta">
        Reading
        {/* It is seen to go on, not read aloud every second. */}
        <span aria-hidden="true">{now - since > 2_000 ? `, ${duration(now - since)}` : ''}</span> …
      </span>
    </div>
  )
}

function Shown({ resource, subscribed }: { readonly resource: ResourceContent; readonly subscribed: boolean }) {
  const { items, warnings } = resource
  return (
    <div className="column-3">
      <div className="meta content-hints line">
        <VisibleText as="span" className="content-server" text={resource.serverName} />
        <code>
          <EmphasisedText text={resource.uri} />
        </code>
        <span>
          {items.length === 1 ? '' : `${counted(items.length, 'content')}, `}
          {bytes(resource.bytes)}, about {grouped(resource.tokens)} tokens
        </span>
        {subscribed ? <span>subscribed to changes</span> : null}
        <AnnotationHints annotations={resource.annotations} />
      </div>
      {warnings.map((warning) => (
        <p className="content-warning small" key={warning}>
          <VisibleText text={warning} />
        </p>
      ))}
      {items.length === 0 ? <p className="soft">Empty.</p> : null}
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what was read does not move
        <ResourceItemView key={index} item={item} hideUri={items.length === 1 && item.uri === resource.uri} />
      ))}
    </div>
  )
}
