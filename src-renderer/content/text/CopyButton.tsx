import { useEffect, useState } from 'react'
import { systemClock } from '../../../src-shared/base/clock.ts'
import { failureText } from '../../state/attempt.ts'
import { announce, showFailure } from '../../state/view-store.ts'
import { Button, type ButtonProps, IconButton } from '../../ui/Button.tsx'
import { CheckIcon, CopyIcon } from '../../ui/icons.tsx'

/** Milliseconds that the button shows success. */
const COPIED_TIME = 2_000

interface CopyButtonProps {
  readonly label: string
  /** A function is called when the text is copied. */
  readonly text: string | (() => string | Promise<string>)
  /** Shows the icon alone, named by the label. */
  readonly bare?: boolean
  readonly size?: ButtonProps['size']
}

export function CopyButton({ label, text, bare = false, size = 'small' }: CopyButtonProps) {
  const [copied, setCopied] = useState(false)
  useEffect(() => (copied ? systemClock.after(COPIED_TIME, () => setCopied(false)) : undefined), [copied])
  const copy = async () => setCopied(await copyText(text))
  const icon = copied ? <CheckIcon /> : <CopyIcon />
  if (bare) return <IconButton label={copied ? 'Copied' : label} icon={icon} onClick={() => void copy()} />
  return (
    <Button size={size} onClick={() => void copy()}>
      {icon} {label}
    </Button>
  )
}

/** Copies a text, and announces success or shows why it failed. */
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
