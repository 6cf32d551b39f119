import { useEffect, useState } from 'react'
import { systemClock } from '../../../src-shared/base/clock.ts'
import { failureText } from '../../state/actions.ts'
import { announce, showFailure } from '../../state/view-store.ts'

/** Milliseconds for which a button says that it copied. */
const SAYS_COPIED = 2_000

/** Copies a text to the clipboard, and says for a moment that it did, or why not. */
export function useCopy(): { readonly copied: boolean; readonly copy: (text: string | Promise<string>) => void } {
  const [copied, setCopied] = useState(false)
  useEffect(() => (copied ? systemClock.after(SAYS_COPIED, () => setCopied(false)) : undefined), [copied])
  const copy = async (text: string | Promise<string>) => {
    let whole: string
    try {
      whole = await text
    } catch (error) {
      return showFailure(failureText(error))
    }
    try {
      await navigator.clipboard.writeText(whole)
      setCopied(true)
      announce('Copied')
    } catch {
      showFailure('The browser did not let Parley copy. Select the text and copy it yourself.')
    }
  }
  return { copied, copy: (text) => void copy(text) }
}
