export interface EmphasisSpan {
  readonly text: string
  /** `path` and `host` are what a person should look at first. */
  readonly kind: 'plain' | 'path' | 'host'
}

// A scheme is bounded, so that a text of beginnings costs no more than its length.
const PATHS_AND_HOSTS =
  /(?<scheme>\b[a-z][a-z0-9+.-]{0,30}:\/\/(?:[^\s/@]*@)?)(?<host>[^\s/?#"'<>]+)|(?<path>(?<![\w/])(?:~?\/|[A-Za-z]:\\|\\\\)[^\s"'<>|:*?]+)/g

/** Finds the paths and the hosts of addresses in a text. */
export function emphasise(text: string): readonly EmphasisSpan[] {
  const stretches: EmphasisSpan[] = []
  let from = 0
  const plain = (until: number) => {
    if (until > from) stretches.push({ text: text.slice(from, until), kind: 'plain' })
  }
  for (const match of text.matchAll(PATHS_AND_HOSTS)) {
    const { scheme, host, path } = match.groups ?? {}
    const start = match.index + (scheme?.length ?? 0)
    const found = host ?? path
    if (found === undefined || found.length < 2) continue
    plain(start)
    stretches.push({ text: found, kind: host === undefined ? 'path' : 'host' })
    from = start + found.length
  }
  plain(text.length)
  return stretches
}
