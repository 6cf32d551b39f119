import { wordSet } from './names.ts'

/** Elements that only format a text or show a picture. */
const PLAIN =
  wordSet(`a abbr b blockquote br caption center cite code dd del details div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img ins kbd li
  mark ol p pre q s samp small span strong sub summary sup table tbody td tfoot th thead tr u ul var`)

/** Their attributes; an address is one of the web or of the same site. */
const ATTRIBUTES =
  /^(?:\s+(?:(?:align|alt|class|colspan|dir|height|id|lang|name|open|rel|rowspan|start|title|valign|width)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=]+))?|(?:href|src)\s*=\s*["']?(?:https?:\/\/|mailto:|[#./])[^\s"']*["']?))*\s*\/?$/i

/** Code is shown as it is. */
const CODE = /^([`~]{3,})[^\n]*\n[\s\S]*?^\1[`~]*\s*$|`[^`\n]+`/gm
const ELEMENT = /<(?!https?:\/\/[^\s<>]*>)\/?([a-z][\w:-]*)([^<>]*)/gi
/** The address of a link. */
const LINK = /(?:\]\(|^\s*\[[^\]]+\]:)\s*<?([a-z][a-z0-9+.-]*):/gim
const SCHEMES = wordSet('http https mailto')

/** True if all markup in a text is known to format, link or show a picture. `isWhole`: it is a whole file, so fenced code is recognised. */
export function formatsOnly(text: string, isWhole: boolean): boolean {
  const shown = isWhole ? text.replace(CODE, ' ') : text
  return (
    [...shown.matchAll(ELEMENT)].every(([, name = '', more = '']) => PLAIN.has(name.toLowerCase()) && ATTRIBUTES.test(more)) &&
    [...shown.matchAll(LINK)].every(([, scheme = '']) => SCHEMES.has(scheme.toLowerCase()))
  )
}
