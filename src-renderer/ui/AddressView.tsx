import { ADDRESS_WARNINGS, type AddressWarning, type WebAddress } from '../../src-shared/base/web-address.ts'
import { WarningIcon } from './icons.tsx'

interface AddressViewProps {
  readonly address: WebAddress
  /** Warnings about the address as written, when another address was derived from it. */
  readonly warnings?: readonly AddressWarning[]
}

/** The full address that will be opened, with its host marked and its warnings. */
export function AddressView({ address, warnings = address.warnings }: AddressViewProps) {
  const { before, host, after } = address
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long address scrolls and must be reachable by keyboard */}
      <section className="ui-address framed code" aria-label="Full address" dir="ltr" tabIndex={0}>
        {before}
        <mark>{host}</mark>
        {after}
      </section>
      <AddressWarnings warnings={warnings} />
    </>
  )
}

/** Warnings about an address that is not shown in full. */
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
