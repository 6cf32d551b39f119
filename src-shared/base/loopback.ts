/** `localhost`, `127.x`, `[::1]`, as a URL's hostname: this computer, where nobody listens in between. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
  )
}
