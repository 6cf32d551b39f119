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
