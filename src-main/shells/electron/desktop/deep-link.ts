import { isObject } from '../../../../src-shared/base/json.ts'
import { parseJson } from '../../../../src-shared/base/parse-json.ts'
import type { ConversationId } from '../../../../src-shared/contract/ids.ts'

/** Registered with the system. Our own page has another scheme (decision 0036). */
export const LINK_SCHEME = 'parley'

/** In UTF-16 units. The configuration of a server takes a tenth of it. */
export const MAX_LINK_LENGTH = 64 * 1024
const MAX_NAME_LENGTH = 200

/** A link from outside only shows something; it never acts. */
type DeepLink =
  | { readonly is: 'review'; readonly text: string }
  | { readonly is: 'conversation'; readonly id: ConversationId }
  | { readonly is: 'refused'; readonly why: string }

const refused = (why: string): DeepLink => ({ is: 'refused', why })

export function isDeepLink(text: string): boolean {
  return text.slice(0, LINK_SCHEME.length + 1).toLowerCase() === `${LINK_SCHEME}:`
}

/**
 * Reads `parley://mcp/install?name=…&config=…`, the configuration of one server as base64 or plain JSON, and
 * `parley://conversation/<id>`. Anyone can make such a link, and any page can open it.
 */
export function readDeepLink(link: string): DeepLink {
  if (link.length > MAX_LINK_LENGTH) return refused('It is too long.')
  const url = URL.parse(link)
  if (url?.protocol !== `${LINK_SCHEME}:` || url.username || url.password || url.port)
    return refused('Parley does not know this kind of link.')
  switch (`${url.host}${url.pathname}`) {
    case 'mcp/install':
      return install(url.searchParams)
    default:
      return conversation(url)
  }
}

function conversation({ host, pathname }: URL): DeepLink {
  const id = /^\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(pathname)?.[1]
  return host === 'conversation' && id
    ? { is: 'conversation', id: id as ConversationId }
    : refused('Parley does not know this kind of link.')
}

function install(params: URLSearchParams): DeepLink {
  const [name, ...names] = params.getAll('name')
  const [encoded, ...more] = params.getAll('config')
  if (!name || names.length > 0 || name.length > MAX_NAME_LENGTH) return refused('It names no server, or more than one.')
  if (!encoded || more.length > 0) return refused('It holds no configuration, or more than one.')
  const config = decoded(encoded)
  if (!isObject(config)) return refused('Its configuration is not a JSON object.')
  if (typeof config.command !== 'string' && typeof config.url !== 'string')
    return refused('Its configuration names neither a program nor an address.')
  // `fromEntries` keeps a name like __proto__.
  return { is: 'review', text: JSON.stringify({ mcpServers: Object.fromEntries([[name, config]]) }) }
}

/** Reads JSON, plain or as base64 in either alphabet. */
function decoded(text: string): unknown {
  try {
    return parseJson(text.startsWith('{') ? text : fromBase64(text))
  } catch {
    return undefined
  }
}

function fromBase64(text: string): string {
  // An unescaped plus sign arrives as a space.
  const plain = text.replaceAll(' ', '+')
  if (!/^[\w+/-]+={0,2}$/.test(plain)) throw new SyntaxError('not base64')
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(plain, 'base64'))
}
