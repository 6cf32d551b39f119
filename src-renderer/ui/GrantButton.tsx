import { Button, type ButtonProps } from './Button.tsx'
import { type Granting, useGrant } from './grants/use-grant.ts'

export interface GrantButtonProps extends Omit<ButtonProps, 'onClick' | 'onPointerDown' | 'disabled' | 'ref'> {
  /** It cannot be taken now, by any act. */
  readonly held?: boolean
  /** Of a form, too: what Enter in a field does comes here. */
  readonly onGrant: (by: Granting) => void
}

/** The button that allows, shares, sends or starts something: it is taken only by an act that was meant for it. */
export function GrantButton({ held = false, onGrant, children, ...rest }: GrantButtonProps) {
  const { element, settled, unmoved, onPointerDown, actOf } = useGrant<HTMLButtonElement>()
  return (
    <Button
      {...rest}
      ref={element}
      disabled={held}
      aria-disabled={settled ? undefined : true}
      onPointerDown={onPointerDown}
      onClick={(event) => {
        event.preventDefault()
        const act = actOf(event)
        if (act) onGrant(act)
      }}
    >
      {children}
      {unmoved ? <MovePointer /> : null}
    </Button>
  )
}

/** Says why a click did nothing. */
export function MovePointer() {
  return (
    <span className="ui-grant-unmoved" aria-hidden>
      Move the pointer, then click.
    </span>
  )
}
