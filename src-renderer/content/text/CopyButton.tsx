import { IconButton } from '../../ui/Button.tsx'
import { CheckIcon, CopyIcon } from '../../ui/icons.tsx'
import { useCopy } from './use-copy.ts'

interface CopyButtonProps {
  /** What is copied, or how it is had when it is wanted. */
  readonly text: string | (() => string | Promise<string>)
  readonly label?: string
}

/** Copies, and says so for a moment. */
export function CopyButton({ text, label = 'Copy code' }: CopyButtonProps) {
  const { copied, copy } = useCopy()
  return (
    <IconButton
      label={copied ? 'Copied' : label}
      icon={copied ? <CheckIcon /> : <CopyIcon />}
      onClick={() => copy(typeof text === 'string' ? text : text())}
    />
  )
}
