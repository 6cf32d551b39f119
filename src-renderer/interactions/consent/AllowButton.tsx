import { Button, type ButtonProps } from '../../ui/Button.tsx'
import { WarningIcon } from '../../ui/icons.tsx'

export interface AllowButtonProps extends Omit<ButtonProps, 'variant' | 'size' | 'type'> {
  /** What it allows may destroy something. */
  readonly grave: boolean
}

/** Allows calls; marked where they may destroy something. */
export function AllowButton({ grave, children, ...rest }: AllowButtonProps) {
  return (
    <Button variant={grave ? 'allow-grave' : 'allow'} {...rest}>
      {grave ? <WarningIcon /> : null}
      {children}
    </Button>
  )
}
