import { VisibleText } from '../../ui/VisibleText.tsx'

/** The arguments of a program, each in a box of its own, so that spaces in one are seen. */
export function ArgumentList({ args, label }: { readonly args: readonly string[]; readonly label?: string }) {
  return (
    <ol className="words actions" aria-label={label}>
      {args.map((argument, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: arguments are identified by their position
        <li key={index}>
          <code>{argument === '' ? <span className="soft">empty</span> : <VisibleText text={argument} />}</code>
        </li>
      ))}
    </ol>
  )
}
