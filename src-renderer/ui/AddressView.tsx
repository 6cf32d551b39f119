import { ADDRESS_WARNINGS, type AddressWarning, type WebAddress } from '../../src-shared/base/web-address.ts'
import { WarningIcon } from './icons.tsx'

export interface AddressViewProps {
  readonly address: WebAddress
  /** Those of the address as it was written, where somebody else has read that. */
  readonly warnings?: readonly AddressWarning[]
}

/** The whole of an address as it will be opened, with its host marked, and what is odd about it. */
export function AddressView({ address, warnings = address.warnings }: AddressViewProps) {
  const { before, host, after } = address
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long address scrolls and must be reachable by keyboard */}
      <section className="ui-address framed" aria-label="Full address" dir="ltr" tabIndex={0}>
        {before}
        <mark>{host}</mark>
        {after}
      </section>
      <AddressWarnings warnings={warnings} />
    </>
  )
}

/** Oddities of an address that is not shown in full. */
export function AddressWarnings({ warnings }: { readonly warnings: readonly AddressWarning[] }) {
  if (warnings.length === 0) return null
  return (
    <ul className="ui-address-warnings column-1 framed" aria-label="Warnings">
      {warnings.map((warning) => (
        <li key={warning}>
          <WarningIcon /> <span>{ADDRESS_WARNINGS[warning]}</span>
        </li>
      ))}
    </ul>
  )
}
