import { useEffect, useState } from 'react'
import { systemClock } from '../../../src-shared/base/clock.ts'
import { failureText } from '../../state/attempt.ts'
import { announce, showFailure } from '../../state/view-store.ts'
import { Button, type ButtonProps, IconButton } from '../../ui/Button.tsx'
import { CheckIcon, CopyIcon } from '../../ui/icons.tsx'

/** Milliseconds for which the button says that it copied. */
const SAYS_COPIED = 2_000

export interface CopyButtonProps {
  readonly label: string
  /** The text to copy, or a function that gets it when it is wanted. */
  readonly text: string | (() => string | Promise<string>)
  /** An icon alone, whose name the label is. */
  readonly bare?: boolean
  readonly size?: ButtonProps['size']
}

/** Copies a text to the clipboard, and says for a moment that it did, or why not. */
export function CopyButton({ label, text, bare = false, size = 'small' }: CopyButtonProps) {
  const [copied, setCopied] = useState(false)
  useEffect(() => (copied ? systemClock.after(SAYS_COPIED, () => setCopied(false)) : undefined), [copied])
  const copy = async () => setCopied(await copyText(text))
  const icon = copied ? <CheckIcon /> : <CopyIcon />
  if (bare) return <IconButton label={copied ? 'Copied' : label} icon={icon} onClick={() => void copy()} />
  return (
    <Button size={size} onClick={() => void copy()}>
      {icon} {label}
    </Button>
  )
}

/** Copies a text and announces that, or why it failed. */
export async function copyText(text: CopyButtonProps['text']): Promise<boolean> {
  let whole: string
  try {
    whole = typeof text === 'string' ? text : await text()
  } catch (error) {
    showFailure(failureText(error))
    return false
  }
  try {
    await navigator.clipboard.writeText(whole)
    announce('Copied')
    return true
  } catch {
    showFailure('The browser did not let Parley copy. Select the text and copy it yourself.')
    return false
  }
}
