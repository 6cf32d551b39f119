import type { ReactNode } from 'react'

export function Fact({ name, children }: { readonly name: ReactNode; readonly children: ReactNode }) {
  return (
    <div className="ui-fact">
      <dt className="soft">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
