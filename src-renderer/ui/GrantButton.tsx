import { Button, type ButtonProps } from './Button.tsx'
import { type Granting, useGrant } from './grants/use-grant.ts'

export interface GrantButtonProps extends Omit<ButtonProps, 'onClick' | 'onPointerDown' | 'disabled' | 'ref'> {
  readonly held?: boolean
  /** Called for Enter in a field of its form, too. */
  readonly onGrant: (by: Granting) => void
}

/** A button that allows, shares, sends or starts something. Only a press that was meant for it counts. */
export function GrantButton({ held = false, onGrant, children, ...rest }: GrantButtonProps) {
  const { element, settled, unmoved, onPointerDown, grantOf } = useGrant<HTMLButtonElement>()
  return (
    <Button
      {...rest}
      ref={element}
      disabled={held}
      aria-disabled={settled ? undefined : true}
      onPointerDown={onPointerDown}
      onClick={(event) => {
        event.preventDefault()
        const grant = grantOf(event)
        if (grant) onGrant(grant)
      }}
    >
      {children}
      {unmoved ? <MovePointer /> : null}
    </Button>
  )
}

export function MovePointer() {
  return (
    <span className="ui-grant-unmoved" aria-hidden>
      Move the pointer, then click.
    </span>
  )
}
