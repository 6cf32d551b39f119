import { isObject } from '../../../src-shared/base/json.ts'
import { APP_DOMAINS, type AppDomains } from '../../../src-shared/contract/apps.ts'

const KINDS = { connect: 'connectDomains', resource: 'resourceDomains' } as const
type Kind = keyof typeof KINDS
/** Not granted: frames within inherit the lock of the view, and a base address would redirect what it loads. */
const NOT_GRANTED = ['frameDomains', 'baseUriDomains']

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
/** A host of at least two labels, or a wildcard before at least two. A top-level domain of digits would be an address. */
const HOST = new RegExp(`^(?:\\*\\.)?(?:${LABEL}\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$`)
const LOCAL_NAMES = /(?:^|\.)(?:localhost|local|internal|lan|home|intranet|test|invalid|onion|arpa)$/

/**
 * A declared domain as a source of a content security policy; undefined for one that could do more than name one https or wss host.
 * Text that is no plain origin never reaches a header.
 */
export function appSource(declared: unknown, kind: Kind): string | undefined {
  if (typeof declared !== 'string' || declared.length > 300) return undefined
  const parts = /^(https|wss):\/\/([^/:@?#]+)(?::(\d{1,5}))?\/?$/i.exec(declared)
  if (!parts) return undefined
  const [, scheme = '', host = '', port] = parts
  const name = host.toLowerCase()
  if (scheme.toLowerCase() === 'wss' && kind !== 'connect') return undefined
  if (!HOST.test(name) || name.length > 253 || LOCAL_NAMES.test(name)) return undefined
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return undefined
  return `${scheme.toLowerCase()}://${name}${port === undefined ? '' : `:${Number(port)}`}`
}

/** The allowed domains of a resource's `_meta.ui.csp`, and the refused ones as they were written, cut to a line. */
export function readDomains(csp: unknown): { readonly domains: AppDomains; readonly refused: readonly string[] } {
  const domains: Record<Kind, string[]> = { connect: [], resource: [] }
  const refused: string[] = []
  const declared = isObject(csp) ? csp : {}
  for (const kind of NOT_GRANTED) refused.push(...listed(declared[kind]).map(asWritten))
  for (const kind of Object.keys(KINDS) as Kind[]) {
    for (const one of listed(declared[KINDS[kind]])) {
      const source = domains[kind].length < APP_DOMAINS ? appSource(one, kind) : undefined
      if (source === undefined) refused.push(asWritten(one))
      else if (!domains[kind].includes(source)) domains[kind].push(source)
    }
  }
  return { domains, refused: refused.slice(0, APP_DOMAINS) }
}

/** More than are kept, so that some of each kind can be shown as refused. */
const MOST_READ = 4 * APP_DOMAINS
const listed = (list: unknown): readonly unknown[] =>
  list === undefined ? [] : Array.isArray(list) ? list.slice(0, MOST_READ) : [list]
const asWritten = (one: unknown) => (typeof one === 'string' ? one.slice(0, 200) : '(no text)')

/** Hosts that the page of a view can reach, without their schemes. */
export function hostsOf({ connect, resource }: AppDomains): readonly string[] {
  return [...new Set([...connect, ...resource].map((source) => source.replace(/^\w+:\/\//, '')))]
}

const NO_DOMAINS: AppDomains = { connect: [], resource: [] }

/**
 * The policy header of a view (MCP Apps 2026-01-26, host behavior). It runs without an origin and reaches the named domains only.
 * `'self'` never stands in it: it would mean our own address. `report` is a path for blocked addresses. The shell adds who may embed it.
 */
export function appPolicy(allowed: AppDomains | undefined, report: string): string {
  const { connect, resource } = allowed ?? NO_DOMAINS
  const also = resource.map((source) => ` ${source}`).join('')
  return [
    "default-src 'none'",
    `script-src 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' blob:${also}`,
    `style-src 'unsafe-inline'${also}`,
    `img-src data: blob:${also}`,
    `font-src data:${also}`,
    `media-src data: blob:${also}`,
    `connect-src ${connect.length > 0 ? connect.join(' ') : "'none'"}`,
    'worker-src blob:',
    "frame-src 'none'",
    "base-uri 'none'",
    "object-src 'none'",
    "form-action 'none'",
    'sandbox allow-scripts allow-forms',
    `report-uri ${report}`,
  ].join('; ')
}
