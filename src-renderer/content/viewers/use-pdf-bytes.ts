import { useEffect, useState } from 'react'
import type { BlobRef } from '../../../src-shared/contract/blobs.ts'
import { ask } from '../../state/ask.ts'

/** The frame holds a whole file in memory, so larger ones are only saved. */
export const MAX_PDF_SIZE = 32 * 1024 * 1024

type PdfBytes =
  | { readonly is: 'loading' /** 0 to 1. */; readonly share: number }
  | { readonly is: 'here'; readonly bytes: ArrayBuffer }
  | { readonly is: 'failed' }

/** All bytes of a blob of at most MAX_PDF_SIZE, read by its link. */
export function usePdfBytes(blob: BlobRef): PdfBytes {
  const [state, setState] = useState<PdfBytes>({ is: 'loading', share: 0 })
  useEffect(() => {
    const giveUp = new AbortController()
    const read = async () => {
      const { url } = await ask('blob.link', { blob }, giveUp.signal)
      const response = await fetch(url, { signal: giveUp.signal })
      if (!response.ok || !response.body) throw new Error(`The blob answered ${response.status}`)
      const bytes = new Uint8Array(blob.bytes)
      let at = 0
      for (const reader = response.body.getReader(); ; ) {
        const { done, value } = await reader.read()
        if (done) break
        // Throws when the response is longer than announced.
        bytes.set(value, at)
        at += value.byteLength
        setState({ is: 'loading', share: at / bytes.byteLength })
      }
      setState({ is: 'here', bytes: bytes.buffer })
    }
    setState({ is: 'loading', share: 0 })
    read().catch(() => giveUp.signal.aborted || setState({ is: 'failed' }))
    return () => giveUp.abort()
  }, [blob])
  return state
}
