import { VisibleText } from '../ui/VisibleText.tsx'

/** Says that the arguments above could not be checked against their schema, and why. */
export function NotChecked({ why }: { readonly why: string | undefined }) {
  if (why === undefined) return null
  return (
    <p className="meta">
      Not checked against the tool’s schema: <VisibleText text={why} />
    </p>
  )
}

/** Names the arguments that travel as HTTP headers, too, where proxies can read them. */
export function SentAsHeaders({ names = [] }: { readonly names?: readonly string[] | undefined }) {
  if (names.length === 0) return null
  return (
    <p className="meta">
      Sent as {names.length === 1 ? 'a header' : 'headers'} too: <VisibleText text={names.join(', ')} />
    </p>
  )
}
