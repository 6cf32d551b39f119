import { GrantButton, type GrantButtonProps } from '../../ui/GrantButton.tsx'
import { WarningIcon } from '../../ui/icons.tsx'

interface AllowButtonProps extends Omit<GrantButtonProps, 'variant' | 'size' | 'type'> {
  /** The allowed call may destroy something. */
  readonly grave: boolean
}

/** Allows calls; marked where they may destroy something. */
export function AllowButton({ grave, children, ...rest }: AllowButtonProps) {
  return (
    <GrantButton variant={grave ? 'allow-grave' : 'allow'} {...rest}>
      {grave ? <WarningIcon /> : null}
      {children}
    </GrantButton>
  )
}
