/**
 * The content security policy of the page: its own files, and images of servers as data. No inline code, no eval. It may embed our
 * own documents, which show foreign content, and must not be embedded itself.
 * `connect` lists allowed connections, `views` where pages of views lie; `nonce` is for Vite's development server alone.
 */
export function contentPolicy(connect: readonly string[], views: readonly string[] = [], nonce?: string): string {
  const own = nonce ? `'self' 'nonce-${nonce}'` : "'self'"
  return [
    "default-src 'none'",
    `script-src ${own}`,
    `style-src ${own}`,
    "img-src 'self' data:",
    "media-src 'self'",
    "font-src 'self'",
    `frame-src ${["'self'", ...views].join(' ')}`,
    `connect-src ${connect.length > 0 ? connect.join(' ') : "'none'"}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

export const GUARD_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // A DNS lookup would leak host names.
  'x-dns-prefetch-control': 'off',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), hid=(), midi=()',
}
