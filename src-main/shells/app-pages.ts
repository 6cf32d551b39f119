import { GUARD_HEADERS } from './content-policy.ts'

/** The host's pages of views, by the path of their address. */
export interface AppPageSource {
  page(view: string): Promise<{ readonly bytes: Uint8Array; readonly policy: string } | undefined>
  report(view: string, body: string): void
}

const PATH = /^\/app\/([\w-]{20,64})(\/blocked)?$/
export const APP_PATH = '/app/'

export interface AppAddress {
  readonly view: string
  /** The address takes reports of blocked addresses. */
  readonly reports: boolean
}

export function appAddress(path: string): AppAddress | undefined {
  const [, view, reports] = PATH.exec(path) ?? []
  return view === undefined ? undefined : { view, reports: reports !== undefined }
}

/** Headers of the answer to a report, which comes from a document without an origin. */
export const REPORT_HEADERS = { ...GUARD_HEADERS, 'cross-origin-resource-policy': 'cross-origin', 'cache-control': 'no-store' }

/** Bytes of a report of a blocked address. */
export const MAX_REPORT = 8 * 1024

/** Headers of a view's page. Nothing keeps it, and its policy is its own (APP-6, APP-32). `page` is the origin that may embed it. */
export const appHeaders = (policy: string, page: string): Readonly<Record<string, string>> => ({
  ...GUARD_HEADERS,
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `${policy}; frame-ancestors ${page}`,
  'cache-control': 'no-store',
})
