import { useEffect, useState } from 'react'
import type { BlobRef } from '../../../src-shared/contract/blobs.ts'
import { bytes } from '../../ui/sizes.ts'
import { visibleText } from '../../ui/visible-text.ts'
import { useContentPowers } from '../text/content-powers.ts'
import { isPicture } from './resource-kind.ts'

/** A link to load a blob by; undefined while it is made, `'failed'` when there is none. */
function useBlobUrl(blob: BlobRef): string | undefined | 'failed' {
  const { linkBlob } = useContentPowers()
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    let current = true
    linkBlob(blob).then(
      (link) => current && setUrl(link.url),
      () => current && setUrl('failed'),
    )
    return () => {
      current = false
    }
  }, [blob, linkBlob])
  return url
}

export interface BlobViewProps {
  readonly blob: BlobRef
  /** What it is, for those who cannot see or hear it. */
  readonly label: string
}

/** An image or a sound kept by the host; a plain line for everything else and while it cannot be loaded. */
export function BlobView({ blob, label }: BlobViewProps) {
  const url = useBlobUrl(blob)
  const [broken, setBroken] = useState(false)
  const plain = `${label} (${visibleText(blob.mimeType)}, ${bytes(blob.bytes)})`
  const image = isPicture(blob.mimeType)
  if (url === 'failed' || broken) return <p className="content-placeholder">{plain} could not be shown.</p>
  if (url === undefined || !(image || blob.mimeType.startsWith('audio/'))) return <p className="content-placeholder">{plain}</p>
  if (image) {
    return (
      <figure className="content-figure">
        <img src={url} alt={label} onError={() => setBroken(true)} />
        <figcaption className="meta">{plain}</figcaption>
      </figure>
    )
  }
  return (
    <figure className="content-figure">
      {/* biome-ignore lint/a11y/useMediaCaption: a server's sound comes without captions */}
      <audio src={url} controls preload="metadata" aria-label={label} onError={() => setBroken(true)} />
      <figcaption className="meta">{plain}</figcaption>
    </figure>
  )
}
