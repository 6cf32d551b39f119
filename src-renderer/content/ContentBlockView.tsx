import { memo } from 'react'
import { assertNever } from '../../src-shared/base/json.ts'
import type { ContentView } from '../../src-shared/contract/blobs.ts'
import type { ServerId } from '../../src-shared/contract/ids.ts'
import { askToOpenLink, setViewing } from '../state/view-store.ts'
import { bytes } from '../ui/amounts.ts'
import { Button } from '../ui/Button.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { AnnotationHints } from './AnnotationHints.tsx'
import { BlobView } from './viewers/BlobView.tsx'
import './text/content.css'
import { ForeignIcon } from './ForeignIcon.tsx'
import { EmphasisedText } from './text/EmphasisedText.tsx'
import { LongText } from './text/LongText.tsx'

interface ContentBlockViewProps {
  readonly content: ContentView
  /** The source: its resource links are read from there. */
  readonly serverId?: ServerId | undefined
}

export const ContentBlockView = memo(function ContentBlockView({ content, serverId }: ContentBlockViewProps) {
  const hints = 'annotations' in content ? content.annotations : undefined
  return (
    <>
      <Block content={content} serverId={serverId} />
      {hints ? (
        <div className="content-block-hints">
          <AnnotationHints annotations={hints} />
        </div>
      ) : null}
    </>
  )
})

function Block({ content, serverId }: ContentBlockViewProps) {
  switch (content.type) {
    case 'text':
      return <LongText content={content} />
    case 'image':
      return <BlobView blob={content.blob} label="Image" />
    case 'audio':
      return <BlobView blob={content.blob} label="Sound" />
    case 'resource':
      return <EmbeddedResource content={content} serverId={serverId} />
    case 'resource_link':
      return <ResourceLink content={content} serverId={serverId} />
    case 'unknown':
      return (
        <p className="content-placeholder">
          Content of the type “
          <VisibleText text={content.kind} />” is not shown: {content.reason}
        </p>
      )
    default:
      return assertNever(content)
  }
}

interface EmbeddedProps {
  readonly content: Extract<ContentView, { type: 'resource' }>
  readonly serverId: ServerId | undefined
}

/** An embedded resource: its beginning here, all of it in the viewer. */
function EmbeddedResource({ content, serverId }: EmbeddedProps) {
  const { uri, mimeType } = content
  const view = () => {
    const item = { uri, content: content.content, ...(mimeType !== undefined && { mimeType }) }
    setViewing({ is: 'items', title: uri, items: [item] })
  }
  return (
    <figure className="content-resource column-1">
      <figcaption className="meta">
        <EmphasisedText text={uri} />
      </figcaption>
      {'blob' in content.content ? <BlobView blob={content.content} label="Resource" /> : <LongText content={content.content} />}
      <div className="content-fold actions">
        <Button size="small" onClick={view}>
          Open
        </Button>
        {serverId === undefined ? null : <ReadButton serverId={serverId} uri={uri} title={uri} label="Read again" />}
      </div>
    </figure>
  )
}

interface ReadButtonProps {
  readonly serverId: ServerId
  readonly uri: string
  readonly title: string
  readonly label: string
}

/** The click is the consent to read. The model is not told. */
function ReadButton({ serverId, uri, title, label }: ReadButtonProps) {
  return (
    <Button size="small" onClick={() => setViewing({ is: 'resource', serverId, uri, title })}>
      {label}
    </Button>
  )
}

interface LinkProps {
  readonly content: Extract<ContentView, { type: 'resource_link' }>
  readonly serverId: ServerId | undefined
}

/** A link to a resource. Nothing is fetched without a click. */
function ResourceLink({ content, serverId }: LinkProps) {
  const { uri, name, title, mimeType, size, icons, description } = content
  const facts = [mimeType, size === undefined ? undefined : bytes(size)].filter(Boolean).join(', ')
  return (
    <div className="content-resource column-1">
      <div className="line">
        <ForeignIcon icons={icons} />
        <VisibleText text={title || name} />
        {facts ? (
          <span className="meta">
            (<VisibleText text={facts} />)
          </span>
        ) : null}
      </div>
      <div className="meta">
        <EmphasisedText text={uri} />
      </div>
      {description ? <VisibleText as="div" className="soft" text={description} /> : null}
      <div className="content-fold actions">
        {serverId === undefined ? null : (
          <ReadButton serverId={serverId} uri={uri} title={title || name} label="Read from the server" />
        )}
        {uri.startsWith('https://') ? (
          <Button size="small" onClick={() => askToOpenLink(uri)}>
            Visit …
          </Button>
        ) : null}
      </div>
    </div>
  )
}
