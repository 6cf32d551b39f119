export interface AddressParts {
  readonly before: string
  /** As it is written, port included. */
  readonly host: string
  readonly after: string
}

/** Finds the host in an http address as a browser would: after the last @ before the path. The parts together are the address. */
export function addressParts(url: string): AddressParts {
  const [, scheme = '', authority = '', after = ''] = /^([^:]*:[/\\]*)?([^/\\?#]*)([\s\S]*)$/.exec(url) ?? []
  const at = authority.lastIndexOf('@') + 1
  return { before: scheme + authority.slice(0, at), host: authority.slice(at), after }
}
