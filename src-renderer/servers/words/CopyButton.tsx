import { useCopy } from '../../content/text/use-copy.ts'
import { Button } from '../../ui/Button.tsx'
import { CheckIcon, CopyIcon } from '../../ui/icons.tsx'

export interface CopyButtonProps {
  readonly label: string
  readonly text: () => string
}

export function CopyButton({ label, text }: CopyButtonProps) {
  const { copied, copy } = useCopy()
  return (
    <Button size="small" onClick={() => copy(text())}>
      {copied ? <CheckIcon /> : <CopyIcon />} {label}
    </Button>
  )
}
