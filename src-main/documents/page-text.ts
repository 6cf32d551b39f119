/** The words of an HTML page, as a person reads them. */
export interface PageText {
  readonly title: string
  readonly text: string
}

/** Elements whose content runs to their end tag, whatever is in it. */
const RAW = new Set(['script', 'style', 'noscript', 'iframe', 'noembed', 'noframes', 'textarea', 'title', 'xmp'])
/** Elements that hold no words of the page itself. */
const LEFT_OUT = new Set(['nav', 'svg', 'template', 'select'])
const LINES = new Set(['br', 'li', 'tr', 'div', 'dt', 'dd', 'option', 'figcaption', 'summary', 'address', 'label'])
const PARAGRAPHS = new Set(
  'p h1 h2 h3 h4 h5 h6 ul ol dl table pre blockquote section article aside header footer main form figure hr details'.split(' '),
)
const NAME = /[a-z][a-z0-9:-]*/iy
const ENTITY = /&(?:#(\d{1,7}|x[0-9a-f]{1,6})|([a-z][a-z0-9]{1,7}));?/gi
/** U+00A0 to U+00FF, as HTML names them. */
const LATIN =
  `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil
  sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute
  Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc
  atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide
  oslash ugrave uacute ucirc uuml yacute thorn yuml`.split(/\s+/)
const ENTITIES = new Map([
  ...LATIN.map((name, at) => [name, String.fromCodePoint(0xa0 + at)] as const),
  ...Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", hellip: '…', mdash: '—', ndash: '–', bull: '•' }),
  ...Object.entries({ lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', euro: '€', trade: '™', minus: '−', rarr: '→', larr: '←' }),
])

/**
 * Reads the words of a page in one pass over its text, so that hostile markup costs no more than other markup. Nothing in it is loaded or
 * run. A parser that searches its stack of open elements at each end tag, such as htmlparser2, takes seconds for 350,000 bytes of
 * unmatched tags. Where the page marks its main part, only that is taken.
 */
export function pageText(html: string): PageText {
  const all = new Writer()
  const main = new Writer()
  let title: string | undefined
  let inMain = 0
  let pre = 0
  /** The element that is left out now, and how often it is open. */
  let skipped: { readonly name: string; depth: number } | undefined
  const each = (act: (writer: Writer) => void) => {
    act(all)
    if (inMain > 0) act(main)
  }
  for (let at = 0; at < html.length; ) {
    const open = html.indexOf('<', at)
    const words = html.slice(at, open < 0 ? undefined : open)
    if (!skipped && words !== '') each((writer) => writer.words(decoded(words), pre > 0))
    if (open < 0) break
    const closing = html[open + 1] === '/'
    NAME.lastIndex = open + (closing ? 2 : 1)
    const name = NAME.exec(html)?.[0].toLowerCase()
    if (name === undefined) {
      const next = html[open + 1] ?? ''
      if (!skipped && !'!?/'.includes(next)) each((writer) => writer.words('<', pre > 0))
      at = '!?/'.includes(next) && next !== '' ? endOfMarkup(html, open) : open + 1
      continue
    }
    const end = endOfTag(html, NAME.lastIndex)
    at = end + 1
    if (skipped) {
      if (name === skipped.name) skipped.depth += closing ? -1 : 1
      if (skipped.depth === 0) skipped = undefined
      continue
    }
    if (!closing && RAW.has(name)) {
      const rest = startOfEnd(html, name, at)
      if (name === 'title') title ??= decoded(html.slice(at, rest))
      at = rest
      continue
    }
    if (!closing && LEFT_OUT.has(name)) {
      if (html[end - 1] !== '/') skipped = { name, depth: 1 }
      continue
    }
    if (name === 'main' && !closing) inMain += 1
    each((writer) => writer.tag(name, closing))
    if (name === 'main' && closing) inMain = Math.max(0, inMain - 1)
    if (name === 'pre') pre = Math.max(0, pre + (closing ? -1 : 1))
  }
  return { title: (title ?? '').replace(/\s+/g, ' ').trim(), text: main.text() || all.text() }
}

/** Lines of text; markup decides where they end. */
class Writer {
  readonly #lines: string[] = []
  /** The pieces of the line that is not ended. */
  #line: string[] = []

  words(text: string, kept: boolean): void {
    if (kept) {
      const [first = '', ...more] = text.split(/\r?\n/)
      this.#line.push(first)
      for (const line of more) {
        this.#lines.push(this.#line.join(''))
        this.#line = [line]
      }
      return
    }
    const plain = text.replace(/[ \t\r\n\f]+/g, ' ')
    const spaced = this.#line.at(-1)?.endsWith(' ') ?? true
    this.#line.push(spaced && plain.startsWith(' ') ? plain.slice(1) : plain)
  }

  tag(name: string, closing: boolean): void {
    if (PARAGRAPHS.has(name)) this.#end(true)
    else if (LINES.has(name)) this.#end(false)
    if (closing) return
    if (/^h[1-6]$/.test(name)) this.#line = [`${'#'.repeat(Number(name[1]))} `]
    else if (name === 'li') this.#line = ['- ']
    else if ((name === 'td' || name === 'th') && this.#line.length > 0) this.#line.push(' | ')
  }

  text(): string {
    this.#end(false)
    const lines = this.#lines.map((line) => line.trimEnd())
    return lines
      .filter((line, at) => line !== '' || lines[at - 1] !== '')
      .join('\n')
      .replace(/^\n+/, '')
      .trimEnd()
  }

  #end(paragraph: boolean): void {
    const line = this.#line.join('')
    if (line.trim() !== '') this.#lines.push(line)
    if (paragraph && this.#lines.at(-1) !== '') this.#lines.push('')
    this.#line = []
  }
}

/** The index of the `>` that ends a tag, or of the end of the text. A `>` in a quoted value ends nothing. */
function endOfTag(html: string, from: number): number {
  let before = ''
  for (let at = from; at < html.length; at += 1) {
    const letter = html[at] ?? ''
    if (letter === '>') return at
    if ((letter === '"' || letter === "'") && before === '=') {
      const quote = html.indexOf(letter, at + 1)
      if (quote < 0) return html.length
      at = quote
    }
    if (!/\s/.test(letter)) before = letter
  }
  return html.length
}

/** The index after a comment, a declaration or a nameless end tag. */
function endOfMarkup(html: string, open: number): number {
  const mark = html.startsWith('<!--', open) ? '-->' : '>'
  const end = html.indexOf(mark, open + 2)
  return end < 0 ? html.length : end + mark.length
}

function startOfEnd(html: string, name: string, from: number): number {
  const end = new RegExp(`</${name}(?![a-z0-9:-])`, 'gi')
  end.lastIndex = from
  return end.exec(html)?.index ?? html.length
}

function decoded(text: string): string {
  return text.replace(ENTITY, (whole, code: string | undefined, name: string | undefined) => {
    if (name !== undefined) return ENTITIES.get(name) ?? whole
    const point = Number(code?.replace(/^x/i, '0x'))
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point).toWellFormed() : '\ufffd'
  })
}
