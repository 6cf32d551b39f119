/**
 * The content security policy of the page: its own files, and pictures that servers sent as data. No inline code, no eval.
 * It embeds documents of ours, the frames that show strangers' content; every other refuses to be embedded.
 * `connect` is where it may open connections to; `nonce` is for Vite's development server alone.
 */
export function contentPolicy(connect: readonly string[], nonce?: string): string {
  const own = nonce ? `'self' 'nonce-${nonce}'` : "'self'"
  return [
    "default-src 'none'",
    `script-src ${own}`,
    `style-src ${own}`,
    "img-src 'self' data:",
    "media-src 'self'",
    "font-src 'self'",
    "frame-src 'self'",
    `connect-src ${connect.length > 0 ? connect.join(' ') : "'none'"}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

/** Headers of every answer to a page, whatever it is. */
export const GUARD_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // Looking up a host tells its name to somebody.
  'x-dns-prefetch-control': 'off',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), hid=(), midi=()',
}
