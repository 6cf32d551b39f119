import { useState } from 'react'
import type { Confirm, ResourceContent } from '../../src-shared/contract/attachments.ts'
import { AnnotationHints } from '../content/AnnotationHints.tsx'
import { ResourceReader } from '../content/ResourceReader.tsx'
import { SizeQuestion } from '../content/SizeQuestion.tsx'
import { EmphasisedText } from '../content/text/EmphasisedText.tsx'
import { isFolder } from '../content/viewers/resource-kind.ts'
import { conversationOf } from '../offers/conversation-of.ts'
import { resourceTokens } from '../offers/resource-entries.ts'
import { ask } from '../state/ask.ts'
import { useAction } from '../state/use-action.ts'
import { announce, type ChosenResource, type Picker } from '../state/view-store.ts'
import { bytes, grouped } from '../ui/amounts.ts'
import { Button } from '../ui/Button.tsx'
import { ProblemCard } from '../ui/ProblemCard.tsx'
import { OfferSummary } from './OfferSummary.tsx'

interface AttachStepProps {
  readonly picker: Picker
  readonly chosen: ChosenResource
  /** The question about its size, when attaching it was tried before. */
  readonly asked?: Confirm | undefined
  readonly onAttached: () => void
  /** Called after attaching when the person wants another. */
  readonly onMore: () => void
}

/** One resource before it is attached: its facts, its cost in tokens, and its content on a click. */
export function AttachStep({ picker, chosen, asked, onAttached, onMore }: AttachStepProps) {
  const [preview, setPreview] = useState(false)
  const [read, setRead] = useState<ResourceContent>()
  const [confirm, setConfirm] = useState(asked)
  const { busy, problem, run } = useAction()
  const attach = (confirmed: boolean, then: () => void) =>
    void run(async () => {
      const id = await conversationOf(picker)
      const { serverId, uri } = chosen
      const answer = await ask('conversation.attachResource', { id, serverId, uri, ...(confirmed && { confirmed }) })
      if (answer.is === 'confirm') return setConfirm(answer)
      announce(`Attached ${answer.attachment.title}`)
      then()
    })
  const tokens = read?.tokens ?? resourceTokens(chosen.size)
  return (
    <div className="picker column-3">
      <OfferSummary
        title={chosen.title}
        serverName={chosen.serverName}
        description={chosen.description}
        uri={<EmphasisedText text={chosen.uri} />}
      >
        <p className="meta content-hints line">
          {isFolder(chosen.mimeType) ? <span>a folder</span> : null}
          {chosen.size === undefined ? null : <span>{bytes(chosen.size)}</span>}
          <span>{tokens === undefined ? 'size unknown' : `about ${grouped(tokens)} tokens`}</span>
          <AnnotationHints annotations={chosen.annotations} />
        </p>
      </OfferSummary>
      {preview ? (
        <div className="picker-preview padded-small framed">
          <ResourceReader serverId={chosen.serverId} uri={chosen.uri} onRead={setRead} />
        </div>
      ) : null}
      <ProblemCard problem={problem} />
      {confirm ? (
        <SizeQuestion asked={confirm} label="Attach anyway" busy={busy} onConfirm={() => attach(true, onAttached)} />
      ) : (
        <div className="actions">
          <Button variant="primary" disabled={busy} onClick={() => attach(false, onAttached)}>
            Attach
          </Button>
          <Button disabled={busy} onClick={() => attach(false, onMore)}>
            Attach and choose another
          </Button>
          {preview ? null : <Button onClick={() => setPreview(true)}>Preview</Button>}
        </div>
      )}
      <p className="meta">Parley reads it now. The model gets it when you send your message.</p>
    </div>
  )
}
