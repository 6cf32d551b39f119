import { mathLetters } from './math-letters.ts'

/** MathML that the page may build: only the elements and attributes listed below, and text. */
export interface MathsNode {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly (MathsNode | string)[]
}

const ELEMENTS = new Set(
  (
    'math mrow mi mn mo mtext mspace msub msup msubsup munder mover munderover mfrac msqrt mroot ' +
    'mtable mtr mtd mstyle mpadded mphantom'
  ).split(' '),
)
const ATTRIBUTES = new Set(
  (
    'display displaystyle scriptlevel stretchy fence separator largeop movablelimits symmetric accent accentunder ' +
    'lspace rspace minsize maxsize linethickness width height depth voffset mathcolor mathbackground mathsize'
  ).split(' '),
)
/** Numbers, lengths, names and colours. No address matches. */
const VALUE = /^[\w#.%+-]{1,32}$/
/** Limits for what the page can lay out in reasonable time. */
const MAX_NODES = 5_000
const MAX_DEPTH = 100
const PIECE = /<(\/?)([a-z]+)((?: [\w:-]+="[^"<>]*")*)(\/?)>|([^<]+)/g
const ATTRIBUTE = / ([\w:-]+)="([^"]*)"/g
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }

interface Open {
  readonly tag: string
  readonly given: Readonly<Record<string, string>>
  readonly children: (MathsNode | string)[]
}

/** Parses the MathML of KaTeX and keeps only what is listed above. Throws for everything else. */
export function readMathml(mathml: string): MathsNode {
  const root: Open = { tag: '', given: {}, children: [] }
  const open: Open[] = [root]
  let nodes = 0
  let read = 0
  for (const { 0: piece, 1: end, 2: tag = '', 3: attributes = '', 4: empty, 5: text, index } of mathml.matchAll(PIECE)) {
    if (index !== read) break
    read += piece.length
    nodes += 1
    if (nodes > MAX_NODES || open.length > MAX_DEPTH) throw new Error('The formula is too large')
    const top = open.at(-1) ?? root
    if (text !== undefined) top.children.push(text.replace(/&([^;]{1,5});/g, (whole, name: string) => NAMED[name] ?? whole))
    else if (!end) {
      const element: Open = { tag, given: readAttributes(attributes), children: [] }
      if (empty) top.children.push(...convert(element))
      else open.push(element)
    } else {
      const element = open.pop()
      if (element?.tag !== tag) throw new Error(`${piece} closes nothing`)
      ;(open.at(-1) ?? root).children.push(...convert(element))
    }
  }
  const [math] = root.children
  if (read !== mathml.length || open.length !== 1 || root.children.length !== 1 || typeof math !== 'object')
    throw new Error('This is not a formula')
  return math
}

function readAttributes(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries([...text.matchAll(ATTRIBUTE)].map(([, name = '', value = '']) => [name, value]))
}

/** Converts an element to what browsers draw; some elements only wrap others. */
function convert({ tag, given, children }: Open): readonly (MathsNode | string)[] {
  const { mathvariant } = given
  switch (tag) {
    case 'span':
    case 'semantics':
      return children
    case 'annotation':
      return []
    case 'menclose':
      return [{ tag: 'mrow', attributes: { className: classesOf('enclosed', given.notation) }, children }]
    case 'mi':
    case 'mn':
      if (mathvariant !== undefined && mathvariant !== 'normal')
        return [{ ...checkedNode(tag, given, children.map(lettersOf(mathvariant))) }]
      break
    case 'mtext':
      if (mathvariant !== undefined) return [withClass(checkedNode(tag, given, children), classesOf('text', mathvariant))]
      break
    case 'mtable':
      return [table(given, children)]
  }
  const node = checkedNode(tag, given, children)
  // Browsers slant single letters unless the variant is normal.
  return [mathvariant === 'normal' ? { ...node, attributes: { ...node.attributes, mathvariant } } : node]
}

function checkedNode(tag: string, given: Readonly<Record<string, string>>, children: readonly (MathsNode | string)[]): MathsNode {
  if (!ELEMENTS.has(tag)) throw new Error(`${tag} is not for formulas`)
  const attributes = Object.entries(given).filter(([name, value]) => ATTRIBUTES.has(name) && VALUE.test(value))
  return { tag, attributes: Object.fromEntries(attributes), children }
}

const lettersOf = (variant: string) => (child: MathsNode | string) =>
  typeof child === 'string' ? mathLetters(child, variant) : child

/** Class names from the words of a value, all with our prefix. */
function classesOf(kind: string, value = ''): string {
  const words = value.split(' ').filter((word) => /^[a-z-]{1,24}$/.test(word))
  return words.map((word) => `maths-${kind}-${word}`).join(' ')
}

function withClass(node: MathsNode, className: string): MathsNode {
  return className === '' ? node : { ...node, attributes: { ...node.attributes, className } }
}

/** Alignment, spacing and lines of a table, which browsers do not support, as classes. */
function table(given: Readonly<Record<string, string>>, children: readonly (MathsNode | string)[]): MathsNode {
  const words = (name: string) => given[name]?.split(' ') ?? []
  const [sides, spaces, lines, rules] = [words('columnalign'), words('columnspacing'), words('columnlines'), words('rowlines')]
  /** The last value of a list applies to all later columns. */
  const at = (list: readonly string[], index: number) => list[index] ?? list.at(-1)
  const rows = children.map((row, r) => {
    if (typeof row === 'string') return row
    const cells = row.children.map((cell, c) => {
      if (typeof cell === 'string') return cell
      const after = c < row.children.length - 1
      return withClass(
        cell,
        [
          classesOf('side', at(sides, c)),
          c > 0 && at(spaces, c - 1) === '0em' ? 'maths-tight' : '',
          after && at(lines, c) !== undefined && at(lines, c) !== 'none' ? 'maths-line-after' : '',
          r < children.length - 1 && at(rules, r) !== undefined && at(rules, r) !== 'none' ? 'maths-line-below' : '',
        ]
          .filter(Boolean)
          .join(' '),
      )
    })
    return { ...row, children: cells }
  })
  // A numbered formula: its number stands at the end of the line.
  const whole = given.width === '100%'
  return whole
    ? { tag: 'mtable', attributes: { className: 'maths-numbered' }, children: rows }
    : checkedNode('mtable', given, rows)
}
