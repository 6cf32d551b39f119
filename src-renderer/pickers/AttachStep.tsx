import { useState } from 'react'
import type { Confirm, ResourceContent } from '../../src-shared/contract/attachments.ts'
import { AnnotationHints } from '../content/AnnotationHints.tsx'
import { ResourceReader } from '../content/ResourceReader.tsx'
import { TellingText } from '../content/text/TellingText.tsx'
import { isFolder } from '../content/viewers/resource-kind.ts'
import { failureText } from '../state/actions.ts'
import { attachResource } from '../state/context-actions.ts'
import { announce, type Picker } from '../state/view-store.ts'
import { Button } from '../ui/Button.tsx'
import { ProblemCard } from '../ui/ProblemCard.tsx'
import { bytes, grouped } from '../ui/sizes.ts'
import type { Chosen } from './chosen.ts'
import { conversationOf } from './chosen-place.ts'
import { OfferAbout } from './OfferAbout.tsx'

export interface AttachStepProps {
  readonly picker: Picker
  readonly chosen: Chosen
  readonly onAttached: () => void
  /** Attached, and another is wanted. */
  readonly onMore: () => void
}

/** One resource before it is attached: what it is, its content on a click, and what it costs. */
export function AttachStep({ picker, chosen, onAttached, onMore }: AttachStepProps) {
  const [preview, setPreview] = useState(false)
  const [read, setRead] = useState<ResourceContent>()
  const [ask, setAsk] = useState<Confirm>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  // The first attachment may make the conversation; the next goes to the same one.
  const [place, setPlace] = useState(picker)
  const attach = async (confirmed: boolean, then: () => void) => {
    setBusy(true)
    setProblem(undefined)
    try {
      const id = await conversationOf(place)
      setPlace({ kind: picker.kind, model: picker.model, conversation: id })
      const answer = await attachResource(id, chosen.serverId, chosen.uri, confirmed)
      if (answer.is === 'confirm') setAsk(answer)
      else {
        announce(`Attached ${answer.attachment.title}`)
        then()
      }
    } catch (error) {
      setProblem(failureText(error))
    }
    setBusy(false)
  }
  const tokens = read?.tokens ?? (chosen.size === undefined ? undefined : Math.ceil(chosen.size / 4))
  return (
    <div className="picker">
      <OfferAbout
        title={chosen.title}
        serverName={chosen.serverName}
        description={chosen.description}
        uri={<TellingText text={chosen.uri} />}
      >
        <p className="meta content-hints">
          {isFolder(chosen.mimeType) ? <span>a folder</span> : null}
          {chosen.size === undefined ? null : <span>{bytes(chosen.size)}</span>}
          <span>{tokens === undefined ? 'size not told' : `about ${grouped(tokens)} tokens`}</span>
          <AnnotationHints annotations={chosen.annotations} />
        </p>
      </OfferAbout>
      {preview ? (
        <div className="picker-preview">
          <ResourceReader serverId={chosen.serverId} uri={chosen.uri} onRead={setRead} />
        </div>
      ) : null}
      {problem === undefined ? null : <ProblemCard problem={{ code: 'attach', what: problem }} />}
      {ask ? (
        <ProblemCard
          level="warning"
          problem={{ code: 'confirm', what: ask.why }}
          actions={
            <Button disabled={busy} onClick={() => void attach(true, onAttached)}>
              Attach it all the same
            </Button>
          }
        />
      ) : (
        <div className="picker-actions">
          <Button variant="primary" disabled={busy} onClick={() => void attach(false, onAttached)}>
            Attach
          </Button>
          <Button disabled={busy} onClick={() => void attach(false, onMore)}>
            Attach and choose another
          </Button>
          {preview ? null : <Button onClick={() => setPreview(true)}>Preview</Button>}
        </div>
      )}
      <p className="meta">It is read from the server now, and passed to the model when you send your message.</p>
    </div>
  )
}
