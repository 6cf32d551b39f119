import { VisibleText } from '../ui/VisibleText.tsx'

/** That a schema could not judge what stands above, and why. */
export function NotChecked({ why }: { readonly why: string | undefined }) {
  if (why === undefined) return null
  return (
    <p className="meta">
      Not checked against the tool’s schema: <VisibleText text={why} />
    </p>
  )
}

/** Arguments that whatever stands between here and the server can read, as they are headers, too. */
export function SentAsHeaders({ names = [] }: { readonly names?: readonly string[] | undefined }) {
  if (names.length === 0) return null
  return (
    <p className="meta">
      Sent as {names.length === 1 ? 'a header' : 'headers'} too: <VisibleText text={names.join(', ')} />
    </p>
  )
}
