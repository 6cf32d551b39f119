/** The proxy for a URL in PAC notation: `DIRECT`, `PROXY host:port`, `HTTPS host:port` or `SOCKS…`, several separated by `;`. */
export type ProxyFor = (url: string) => Promise<string>

/** The environment's proxies, as other command-line programs read them: `https_proxy`, `all_proxy`, `no_proxy`, in either case. */
export function proxyFromEnvironment(environment: Readonly<Record<string, string | undefined>>): ProxyFor {
  const read = (name: string) => environment[name] || environment[name.toUpperCase()] || undefined
  return async (text) => {
    const url = new URL(text)
    const proxy = read(`${url.protocol.slice(0, -1)}_proxy`) ?? read('all_proxy')
    if (proxy === undefined || isExempt(url, read('no_proxy') ?? '')) return 'DIRECT'
    return asPac(proxy.includes('://') ? proxy : `http://${proxy}`) ?? 'DIRECT'
  }
}

/** One proxy for all hosts but those of a list in the notation of NO_PROXY. An invalid address blocks requests instead of going direct. */
export function proxyAt(address: string, except: string, password: string | undefined): ProxyFor {
  const url = URL.parse(address)
  if (url && password !== undefined) url.password = password
  const pac = url ? asPac(url.href) : undefined
  return async (text) => {
    if (isExempt(new URL(text), except)) return 'DIRECT'
    if (pac === undefined) throw new Error('the address of the proxy in Settings cannot be read')
    return pac
  }
}

const KINDS: Readonly<Record<string, string>> = { 'http:': 'PROXY', 'https:': 'HTTPS' }

function asPac(address: string): string | undefined {
  const url = URL.parse(address)
  if (!url) return undefined
  const user = url.username === '' ? '' : `${url.username}:${url.password}@`
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return `${KINDS[url.protocol] ?? 'SOCKS'} ${user}${url.hostname}:${port}`
}

function isExempt(url: URL, list: string): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase()
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return list.split(/[\s,;]+/).some((entry) => {
    if (entry === '') return false
    if (entry === '*') return true
    const bare = /:.*:/.test(entry) && !entry.startsWith('[') ? `[${entry}]` : entry
    const [, name = '', only] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(bare.toLowerCase()) ?? []
    if (only !== undefined && only !== port) return false
    const suffix = name.replace(/^\*?\./, '')
    return host === suffix || host.endsWith(`.${suffix}`)
  })
}

/** The first supported choice of a PAC answer: a proxy's address, or undefined for a direct connection. Throws when there is none. */
export function firstUsable(pac: string): string | undefined {
  const ways = pac.split(';').map((way) => way.trim().split(/\s+/))
  for (const [kind = '', address = ''] of ways) {
    const scheme = { PROXY: 'http', HTTP: 'http', HTTPS: 'https' }[kind.toUpperCase()]
    if (kind.toUpperCase() === 'DIRECT' || kind === '') return undefined
    if (scheme && URL.canParse(`${scheme}://${address}`)) return `${scheme}://${address}`
  }
  throw new Error(`no proxy of a kind that is supported: ${ways.map(([kind]) => kind).join(', ')}`)
}
