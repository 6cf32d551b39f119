import type { BlobRef } from '../../../src-shared/contract/blobs.ts'
import { useRequest } from '../../state/use-request.ts'
import { bytes } from '../../ui/amounts.ts'
import { hexLines } from './hex-lines.ts'

/** The first bytes of content that no view can show. */
export function HexView({ blob }: { readonly blob: BlobRef }) {
  const { value, problem } = useRequest('blob.head', { blob: blob.blob })
  if (problem !== undefined) return <p className="content-placeholder">Its bytes could not be read. Save it as a file instead.</p>
  if (!value) return null
  const shown = value.hex.length / 2
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling text must be reachable by keyboard */}
      <pre className="content-hex framed" tabIndex={0}>
        {hexLines(value.hex).join('\n')}
      </pre>
      {blob.bytes > shown ? <p className="meta">The first {bytes(shown)}. Save it as a file to see the rest.</p> : null}
    </>
  )
}
