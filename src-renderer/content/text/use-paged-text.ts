import { useEffect, useState } from 'react'
import type { BoundedText } from '../../../src-shared/contract/blobs.ts'
import { textPages } from '../../state/read-text.ts'

/** Longer texts, in bytes, are cut; the saved file has the rest. */
const MAX_BYTES = 8 * 1024 * 1024

interface PagedText {
  readonly text: string
  /** 0 to 1 while it is read. */
  readonly share: number | undefined
  /** True if the text was cut. */
  readonly cut: boolean
  readonly failed: boolean
}

/** The full text, of which only the beginning may have been sent; read in pages while `wanted`. */
export function usePagedText({ text: head, whole }: BoundedText, wanted: boolean): PagedText {
  const [state, setState] = useState<PagedText>({ text: head, share: undefined, cut: false, failed: false })
  useEffect(() => {
    const fetches = wanted && whole !== undefined
    setState({ text: head, share: fetches ? 0 : undefined, cut: whole !== undefined, failed: false })
    if (!fetches) return
    const giveUp = new AbortController()
    const read = async () => {
      let all = ''
      let cut = false
      for await (const { text, next } of textPages(whole.blob, giveUp.signal)) {
        all += text
        cut = next !== undefined && next >= MAX_BYTES
        if (cut) break
        if (next !== undefined) setState((before) => ({ ...before, share: Math.min(1, next / Math.min(MAX_BYTES, whole.bytes)) }))
      }
      setState({ text: all, share: undefined, cut, failed: false })
    }
    read().catch(() => giveUp.signal.aborted || setState({ text: head, share: undefined, cut: true, failed: true }))
    return () => giveUp.abort()
  }, [whole, wanted, head])
  return state
}
