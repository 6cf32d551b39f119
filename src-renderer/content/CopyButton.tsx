import { IconButton } from '../ui/Button.tsx'
import { CheckIcon, CopyIcon } from '../ui/icons.tsx'
import { useCopy } from './use-copy.ts'

/** Copies, and says so for a moment. */
export function CopyButton({ text, label = 'Copy code' }: { readonly text: string; readonly label?: string }) {
  const { copied, copy } = useCopy()
  return <IconButton label={copied ? 'Copied' : label} icon={copied ? <CheckIcon /> : <CopyIcon />} onClick={() => copy(text)} />
}
