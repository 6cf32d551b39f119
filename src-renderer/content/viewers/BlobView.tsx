import { useState } from 'react'
import type { BlobRef } from '../../../src-shared/contract/blobs.ts'
import { useRequest } from '../../state/use-request.ts'
import { bytes } from '../../ui/amounts.ts'
import { visibleText } from '../../ui/visible-text.ts'
import { isPicture } from './resource-kind.ts'

interface BlobViewProps {
  readonly blob: BlobRef
  /** The accessible name. */
  readonly label: string
}

/** An image or a sound that the host keeps; a line of text for everything else, and while it does not load. */
export function BlobView({ blob, label }: BlobViewProps) {
  const link = useRequest('blob.link', { blob }, { refetchOn: [blob] })
  const [broken, setBroken] = useState(false)
  const plain = `${label} (${visibleText(blob.mimeType)}, ${bytes(blob.bytes)})`
  const image = isPicture(blob.mimeType)
  if (link.problem !== undefined || broken) return <p className="content-placeholder">{plain} could not be shown.</p>
  const url = link.value?.url
  if (url === undefined || !(image || blob.mimeType.startsWith('audio/'))) return <p className="content-placeholder">{plain}</p>
  return (
    <figure className="content-figure">
      {image ? (
        <img src={url} alt={label} onError={() => setBroken(true)} />
      ) : (
        // biome-ignore lint/a11y/useMediaCaption: a server's sound comes without captions
        <audio src={url} controls preload="metadata" aria-label={label} onError={() => setBroken(true)} />
      )}
      <figcaption className="meta">{plain}</figcaption>
    </figure>
  )
}
