import { useEffect, useState } from 'react'
import type { BoundedText } from '../../../src-shared/contract/blobs.ts'
import { useContentPowers } from './content-powers.ts'

/** Longer texts are shown as their beginning; the file can be saved. */
const MOST = 8 * 1024 * 1024

export interface WholeText {
  readonly text: string
  /** 0 to 1 while it is fetched. */
  readonly share: number | undefined
  /** It is longer than what is shown here. */
  readonly cut: boolean
  readonly failed: boolean
}

/** The whole of a text of which perhaps only the head travelled, fetched piece by piece while `wanted`. */
export function useWholeText(content: BoundedText, wanted: boolean): WholeText {
  const { readText } = useContentPowers()
  const { whole } = content
  const [state, setState] = useState<WholeText>({ text: content.text, share: undefined, cut: false, failed: false })
  useEffect(() => {
    if (!whole || !wanted) {
      setState({ text: content.text, share: undefined, cut: whole !== undefined, failed: false })
      return
    }
    let current = true
    const read = async () => {
      let text = ''
      let offset: number | undefined = 0
      while (current && offset !== undefined && offset < MOST) {
        const page: { text: string; next?: number } = await readText(whole.blob, offset)
        text += page.text
        offset = page.next
        if (current && offset !== undefined) {
          const share = Math.min(1, offset / Math.min(MOST, whole.bytes))
          setState((before) => ({ ...before, share }))
        }
      }
      if (current) setState({ text, share: undefined, cut: offset !== undefined, failed: false })
    }
    setState({ text: content.text, share: 0, cut: true, failed: false })
    read().catch(() => {
      if (current) setState({ text: content.text, share: undefined, cut: true, failed: true })
    })
    return () => {
      current = false
    }
  }, [whole, wanted, content.text, readText])
  return state
}
