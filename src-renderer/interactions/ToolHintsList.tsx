import type { ToolHints } from '../../src-shared/contract/servers.ts'

/** What the server claims of its tool, worst case where it claims nothing. */
export function ToolHintsList({ hints }: { readonly hints: ToolHints }) {
  const claims = hints.readOnly
    ? ['It only reads and changes nothing.']
    : [
        hints.destructive ? 'It may change or delete things.' : 'It adds things and deletes nothing.',
        hints.idempotent ? 'Running it again changes nothing more.' : 'Running it again may do it again.',
      ]
  const reach = hints.openWorld ? 'It may reach beyond this server, such as the internet.' : 'It stays within this server.'
  return (
    <div className="question-hints">
      <div className="meta">What the server says of it, unchecked; silence counts as the worst:</div>
      <ul>
        {[...claims, reach].map((claim) => (
          <li key={claim} className={claim === 'It may change or delete things.' ? 'question-hint-grave' : undefined}>
            {claim}
          </li>
        ))}
      </ul>
    </div>
  )
}
