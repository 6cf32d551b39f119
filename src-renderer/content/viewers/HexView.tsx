import { useEffect, useState } from 'react'
import type { BlobRef } from '../../../src-shared/contract/blobs.ts'
import { readBlobHead } from '../../state/context-actions.ts'
import { bytes } from '../../ui/sizes.ts'
import { hexLines } from './hex-lines.ts'

/** Bytes that nothing here can show: their beginning as numbers, to tell what they are. */
export function HexView({ blob }: { readonly blob: BlobRef }) {
  const [head, setHead] = useState<string>()
  useEffect(() => {
    const giveUp = new AbortController()
    readBlobHead(blob.blob, giveUp.signal).then(
      ({ hex }) => setHead(hex),
      () => giveUp.signal.aborted || setHead(''),
    )
    return () => giveUp.abort()
  }, [blob.blob])
  if (head === undefined) return null
  if (head === '') return <p className="content-placeholder">Its bytes could not be read. Save it as a file instead.</p>
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling text must be reachable by keyboard */}
      <pre className="content-hex" tabIndex={0}>
        {hexLines(head).join('\n')}
      </pre>
      {blob.bytes > head.length / 2 ? (
        <p className="meta">The first {bytes(head.length / 2)}. Save it as a file to see the rest.</p>
      ) : null}
    </>
  )
}
