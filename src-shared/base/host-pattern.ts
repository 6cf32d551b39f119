/** A host that may be reached: `name`, or every name below it, at `port`, else at 80 and 443. */
export interface HostPattern {
  /** As `URL.hostname` spells it. */
  readonly name: string
  readonly below: boolean
  readonly port?: number
}

const WEB_PORTS = [80, 443]
const WRITTEN = /^(\*\.)?(\[[0-9a-f:.]+\]|[^\s:@[\]*]+)(?::(\d{1,5}))?$/i
const NAME = /^(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}$/
const ADDRESS = /^(?:[\d.]+|\[.*\])$/

/** Reads `api.example.com`, `*.example.com`, `localhost:8080` or `[::1]:8080`; a sentence about what is wrong with anything else. */
export function hostPattern(text: string): HostPattern | { readonly problem: string } {
  const said = text.trim()
  if (said === '') return { problem: 'Enter a host, such as api.example.com.' }
  if (/[/?#\\]/.test(said)) return { problem: 'Write the host alone, without https:// and without a path.' }
  const [, star, host = '', digits] = WRITTEN.exec(said) ?? []
  const name = URL.parse(`http://${host}/`)?.hostname.replace(/\.$/, '') ?? ''
  const port = digits === undefined ? undefined : Number(digits)
  const isAddress = ADDRESS.test(name)
  if (name.length > 253 || !(isAddress || NAME.test(name)))
    return { problem: `“${said}” is not a host, such as api.example.com.` }
  if (port !== undefined && (port < 1 || port > 65_535)) return { problem: 'A port is a number from 1 to 65535.' }
  if (star && (isAddress || !name.includes('.'))) return { problem: `“*.${name}” is too wide. Name a host, or *.example.com.` }
  return { name, below: star !== undefined, ...(port !== undefined && { port }) }
}

/** The patterns of texts that were checked before. */
export const hostPatterns = (texts: readonly string[]): readonly HostPattern[] =>
  texts.map(hostPattern).flatMap((found) => ('problem' in found ? [] : [found]))

/** The one spelling of a pattern. */
export const patternText = ({ name, below, port }: HostPattern): string =>
  `${below ? '*.' : ''}${name}${port === undefined ? '' : `:${port}`}`

/** `name` is as `URL.hostname` spells it. */
export function matchesHost(pattern: HostPattern, name: string, port: number): boolean {
  if (pattern.port === undefined ? !WEB_PORTS.includes(port) : pattern.port !== port) return false
  return pattern.below ? name.endsWith(`.${pattern.name}`) : name === pattern.name
}
