import { GrantButton, type GrantButtonProps } from '../../ui/GrantButton.tsx'
import { WarningIcon } from '../../ui/icons.tsx'

interface AllowButtonProps extends Omit<GrantButtonProps, 'variant' | 'type'> {
  /** The allowed call may destroy something or spend money. */
  readonly grave: boolean
}

/** Allows calls; marked where they are grave. */
export function AllowButton({ grave, children, ...rest }: AllowButtonProps) {
  return (
    <GrantButton variant={grave ? 'allow-grave' : 'allow'} {...rest}>
      {grave ? <WarningIcon /> : null}
      {children}
    </GrantButton>
  )
}
