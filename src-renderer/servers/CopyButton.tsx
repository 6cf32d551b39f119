import { useEffect, useState } from 'react'
import { systemClock } from '../../src-shared/base/clock.ts'
import { announce, showFailure } from '../state/view-store.ts'
import { Button } from '../ui/Button.tsx'
import { CheckIcon, CopyIcon } from '../ui/icons.tsx'

const SAYS_COPIED = 2_000

export interface CopyButtonProps {
  readonly label: string
  readonly text: () => string
}

export function CopyButton({ label, text }: CopyButtonProps) {
  const [copied, setCopied] = useState(false)
  useEffect(() => (copied ? systemClock.after(SAYS_COPIED, () => setCopied(false)) : undefined), [copied])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text())
      setCopied(true)
      announce('Copied')
    } catch {
      showFailure('The browser did not let Parley copy. Select the text and copy it yourself.')
    }
  }
  return (
    <Button size="small" onClick={() => void copy()}>
      {copied ? <CheckIcon /> : <CopyIcon />} {label}
    </Button>
  )
}
