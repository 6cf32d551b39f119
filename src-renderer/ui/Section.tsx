import type { ReactNode } from 'react'

/** A part of a screen with its own heading. */
export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="column">
      <h2>{title}</h2>
      {children}
    </section>
  )
}
