import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'style'> {
  /**
   * `primary` for the main action, `allow` for consent, `allow-grave` for consent to what may destroy, `danger` for what
   * destroys, `quiet` without an edge.
   */
  readonly variant?: 'plain' | 'primary' | 'danger' | 'allow' | 'allow-grave' | 'quiet'
  readonly size?: 'normal' | 'small'
  readonly ref?: Ref<HTMLButtonElement>
}

export function Button({ variant = 'plain', size = 'normal', type = 'button', ...rest }: ButtonProps) {
  return (
    <button type={type} className={`ui-button ui-button-${variant}${size === 'small' ? ' ui-button-small' : ''}`} {...rest} />
  )
}

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'style' | 'children'> {
  /** The accessible name, also shown on hover. */
  readonly label: string
  readonly icon: ReactNode
  readonly ref?: Ref<HTMLButtonElement>
}

export function IconButton({ label, icon, type = 'button', ...rest }: IconButtonProps) {
  return (
    <button type={type} className="ui-icon-button" aria-label={label} title={label} {...rest}>
      {icon}
    </button>
  )
}
