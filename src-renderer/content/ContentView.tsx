import { memo } from 'react'
import { assertNever } from '../../src-shared/base/json.ts'
import type { ContentView as Content } from '../../src-shared/contract/blobs.ts'
import { Button } from '../ui/Button.tsx'
import { bytes } from '../ui/sizes.ts'
import { VisibleText } from '../ui/VisibleText.tsx'
import { BlobView } from './BlobView.tsx'
import './content.css'
import { useContentPowers } from './content-powers.ts'
import { LongText } from './LongText.tsx'
import { TellingText } from './TellingText.tsx'

/** One block of content that came from a server. */
export const ContentView = memo(function ContentView({ content }: { readonly content: Content }) {
  switch (content.type) {
    case 'text':
      return <LongText content={content} />
    case 'image':
      return <BlobView blob={content.blob} label="Image" />
    case 'audio':
      return <BlobView blob={content.blob} label="Sound" />
    case 'resource':
      return (
        <figure className="content-resource">
          <figcaption className="meta">
            <TellingText text={content.uri} />
          </figcaption>
          {'blob' in content.content ? (
            <BlobView blob={content.content} label="Resource" />
          ) : (
            <LongText content={content.content} />
          )}
        </figure>
      )
    case 'resource_link':
      return <ResourceLink content={content} />
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
})

/** Names a resource; nothing is fetched, and only a web address can be opened, by a click. */
function ResourceLink({ content }: { readonly content: Extract<Content, { type: 'resource_link' }> }) {
  const { openLink } = useContentPowers()
  const facts = [content.mimeType, content.size === undefined ? undefined : bytes(content.size)].filter(Boolean).join(', ')
  return (
    <div className="content-resource">
      <div>
        <VisibleText text={content.title || content.name} />
        {facts ? <span className="meta"> ({facts})</span> : null}
      </div>
      <div className="meta">
        <TellingText text={content.uri} />
      </div>
      {content.description ? (
        <div className="soft">
          <VisibleText text={content.description} />
        </div>
      ) : null}
      {content.uri.startsWith('https://') ? (
        <Button size="small" onClick={() => openLink(content.uri)}>
          Visit …
        </Button>
      ) : null}
    </div>
  )
}
