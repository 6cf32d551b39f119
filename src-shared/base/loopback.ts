/** True for a name that only ever means this computer, as `URL` gives it; other names could lead anywhere. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname)
}
