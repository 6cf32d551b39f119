/** The problem of an HTTP proxy's address, as a sentence; undefined for a valid one. */
export function proxyProblem(address: string): string | undefined {
  const text = address.trim()
  if (text === '') return 'Enter the address of the proxy.'
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase()
  if (scheme?.startsWith('socks')) return 'SOCKS proxies are not supported. Use the address of an HTTP proxy.'
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') return 'The address starts with http:// or https://.'
  const url = URL.parse(withScheme(text))
  if (!url || url.hostname === '') return 'This is not an address. Enter one like http://proxy.example:8080.'
  if (url.password !== '') return 'Leave the password out of the address. It has its own field.'
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    return 'The address ends after the port. For a script that chooses proxies, use the system’s settings.'
  }
  return undefined
}

/** Normalizes a valid address: with its scheme, without a trailing slash. */
export function proxyAddress(address: string): string {
  return withScheme(address.trim()).replace(/\/$/, '')
}

/** The problem of a list of hosts that bypass the proxy, as a sentence; undefined for a valid one. */
export function exceptionsProblem(list: string): string | undefined {
  for (const entry of exceptions(list)) {
    if (entry.includes('/'))
      return `“${entry}” is not a host. Write names without http://, such as *.example.com; ranges are not understood.`
    if (!EXCEPTION.test(entry)) return `“${entry}” is not a host. Write a name, an IP address, or *.example.com.`
  }
  return undefined
}

const exceptions = (list: string): readonly string[] => list.split(/[\s,;]+/).filter((entry) => entry !== '')

const EXCEPTION =
  /^(?:\*|(?:\*?\.)?[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.?(?::\d{1,5})?|\[[0-9a-f:.]+\](?::\d{1,5})?|[0-9a-f:]*:[0-9a-f:.]*)$/iu

const withScheme = (text: string): string => (text.includes('://') ? text : `http://${text}`)
