import { useEffect, useState } from 'react'
import { systemClock } from '../../src-shared/base/clock.ts'
import { IconButton } from '../ui/Button.tsx'
import { CheckIcon, CopyIcon } from '../ui/icons.tsx'

/** Copies, and says so for a moment. */
export function CopyButton({ text, label = 'Copy code' }: { readonly text: string; readonly label?: string }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => (copied ? systemClock.after(2000, () => setCopied(false)) : undefined), [copied])
  return (
    <IconButton
      label={copied ? 'Copied' : label}
      icon={copied ? <CheckIcon /> : <CopyIcon />}
      onClick={() => {
        void navigator.clipboard.writeText(text).then(() => setCopied(true))
      }}
    />
  )
}
