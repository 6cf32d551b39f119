interface EmphasisSpan {
  readonly text: string
  /** A person should look at `path` and `host` first. */
  readonly kind: 'plain' | 'path' | 'host'
}

// The bounded scheme keeps the cost proportional to the text.
const PATHS_AND_HOSTS =
  /(?<scheme>\b[a-z][a-z0-9+.-]{0,30}:\/\/(?:[^\s/@]*@)?)(?<host>[^\s/?#"'<>]+)|(?<path>(?<![\w/])(?:~?\/|[A-Za-z]:\\|\\\\)[^\s"'<>|:*?]+)/g

/** Finds paths and the hosts of addresses in a text. */
export function emphasise(text: string): readonly EmphasisSpan[] {
  const spans: EmphasisSpan[] = []
  let from = 0
  const plain = (until: number) => {
    if (until > from) spans.push({ text: text.slice(from, until), kind: 'plain' })
  }
  for (const match of text.matchAll(PATHS_AND_HOSTS)) {
    const { scheme, host, path } = match.groups ?? {}
    const start = match.index + (scheme?.length ?? 0)
    const found = host ?? path
    if (found === undefined || found.length < 2) continue
    plain(start)
    spans.push({ text: found, kind: host === undefined ? 'path' : 'host' })
    from = start + found.length
  }
  plain(text.length)
  return spans
}
