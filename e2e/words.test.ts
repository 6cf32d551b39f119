import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const root = new URL('..', import.meta.url)

/** Riddles that no screen says, and the words that took their place (CONTRIBUTING.md, Words). */
const PHRASES: readonly (readonly [not: RegExp, but: string])[] = [
  [/silence counts as the worst|Nobody checked them/, 'Server’s hints (not verified)'],
  [/It only reads|claims to only read/, 'Read-only'],
  [/It may change or delete things|['"]may destroy['"]/, 'Destructive'],
  [/The model wants to call|\(it calls it/, 'Run **tool** on **server**?'],
  [/A rule covers this tool/, 'Applies until the tool or its server changes'],
  [/rule sleeps/, 'Paused: the tool changed'],
  [/What it says of itself/, 'Server info'],
  [/How it is reached/, 'Connection'],
  [/What it may do\b/, 'Permissions'],
  [/What it claims/, 'Annotations'],
  [/Call it by hand/, 'Run tool'],
  [/It came to its end|tokens were read/, 'Complete · 75 in, 300 out'],
  [/needs? a look/, '1 field needs attention'],
  [/Fill this in|Enter a (?:value|name)\b|Enter the passphrase/, 'Required'],
  [/[`'">]Call “|Call again|Call the tool again\?/, 'Run'],
  [/here again/, 'Turn on'],
  [/none of yours/, 'None'],
  [/Rounds in one turn/, 'Maximum tool rounds'],
  [/Keys go in/, 'Keys are stored and never shown.'],
  [/Nobody said how much/, 'Context window unknown; assuming 128,000 tokens.'],
  [/Edit and send again/, 'Edit'],
  [/Replace and run/, 'Send'],
  [/What shall we do/, 'How can I help?'],
  [/Set a question aside|close what floats|['"]Set aside['"]/, 'Dismiss'],
  [/with a red mark/, 'Error'],
  // The name of a function that a rename has put into a text.
  [/^[A-Z][a-z]*(?: [a-z]+)* (?!macOS)[a-z]+[A-Z]\w*$/, 'Try now'],
]

/** Whole labels, which are fine as a word of a sentence. */
const LABELS: readonly (readonly [not: string, but: string])[] = [
  ['Offered', 'Enabled'],
  ['Offered to models', 'Enabled'],
  ['Get it', 'Use prompt'],
  ['Fill in', 'Open'],
  ['Take out', 'Remove'],
  ['Your words', 'Message'],
  ['Again', 'Regenerate'],
  ['Return', 'Send to server'],
  ['Change', 'Edit'],
]

/** `path:line: words` of each place in the sources that a person could read. */
function placesOf(wrong: (text: string) => boolean): readonly string[] {
  return ['src-renderer', 'src-main', 'src-shared'].flatMap((room) =>
    readdirSync(new URL(room, root), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
      .flatMap((name) => linesOf(`${room}/${name}`).filter(({ text }) => wrong(text)))
      .map(({ at, text }) => `${at}: ${text}`),
  )
}

const read = new Map<string, readonly { readonly at: string; readonly text: string }[]>()

function linesOf(path: string) {
  const known = read.get(path)
  if (known) return known
  const source = readFileSync(new URL(path, root), 'utf8')
  // Comments say what they like; their line breaks stay, so that lines can be named.
  const spoken = source.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, '')).replace(/(^|\s)\/\/.*$/gm, '')
  const lines = spoken.split('\n').map((line, at) => ({ at: `${path}:${at + 1}`, text: line.trim() }))
  read.set(path, lines)
  return lines
}

describe('words on screens', () => {
  it.each(PHRASES)('are never %s but “%s”', (not) => {
    expect(placesOf((text) => not.test(text))).toEqual([])
  })

  it.each(LABELS)('are no label “%s” but “%s”', (not) => {
    const literal = new RegExp(`(['"\`>])${not}(['"\`<])`)
    expect(placesOf((text) => text === not || literal.test(text))).toEqual([])
  })
})

/** Words that are wrong nearly always in comments, titles and texts, and the plain ones. */
const DIALECT: readonly (readonly [wrong: RegExp, plain: string])[] = [
  [/\banew\b/i, '“again”, or the verb that says it: reload, retry, rebuild'],
  [/\bwhoever\b/i, 'the one who is meant: the caller, the author, the person'],
  [/\blest\b/i, '“so that … not”'],
  [/\b(?:whither|hitherto|thereupon)\b/i, '“where”, “so far”, “then”'],
  // Nobody says these, and each has a shorter word that everybody knows.
  [/\b(?:where|there)(?:by|in|of)\b|\b(?:hence|thence|whence)(?:forth)?\b/i, '“by which”, “in it”, “of it”, “from there”'],
  // They sound like an old tale, where the field has a word.
  [/\bin its stead\b|\bto be had\b/i, '“instead”, “available”'],
  // A comment that begins so restates the line below it, and says what instead of why.
  [
    /(?:\/\/|\/\*\*?|^\s*\*) *(?:What|Whose|Who|Whether|Whatever|Where|How)\b/,
    'the subject first: “Progress counts all requests of a call.”',
  ],
]

describe('comments, titles and texts', () => {
  const folders = ['src-main', 'src-renderer', 'src-shared', 'e2e']
  const files = folders.flatMap((room) =>
    readdirSync(new URL(room, root), { recursive: true, encoding: 'utf8' })
      .map((name) => `${room}/${name.replaceAll('\\', '/')}`)
      // Recorded tasks and other apps' files are others' words; this file has the words themselves.
      .filter((path) => /\.(?:tsx?|mjs|css)$/.test(path) && !/^e2e\/(?:consent\/\w+|hosts|words)[/.]/.test(path)),
  )
  const wrongLines = (text: string, wrong: RegExp) => text.split('\n').filter((line) => wrong.test(line))

  it.each(DIALECT)('have no %s but %s', (wrong) => {
    expect(files.length).toBeGreaterThan(1000)
    expect(
      files.flatMap((path) => wrongLines(readFileSync(new URL(path, root), 'utf8'), wrong).map((line) => `${path}: ${line}`)),
    ).toEqual([])
  })

  it('are found when planted: “anew”, “whereby” and “to be had”, and a comment that begins with What', () => {
    const planted = '/** What is shown. */\n// Reads the list anew.\nconst renewed = 1 // whose\n// Whereby none is to be had.\n'
    expect(DIALECT.map(([wrong]) => wrongLines(planted, wrong).length)).toEqual([1, 0, 0, 0, 1, 1, 1])
  })
})

/** Titles of the outermost level, which begin a line: a describe names the subject, a test without one is a whole sentence. */
const TITLE = /^(?:(describe|test\.describe|it|test)(?:\.\w+)*(?:\([^()\n]*\))?|\](?: as const)?\))\(\s*(['"`])(.*?)\2/gm
const RELATIVE = /^(?:what|whatever|which|who|whoever|whose|whether|why|how|when|where|while)\b.*[^?]$/i
const VERB =
  /^(?:is|are|was|has|have|may|can|cannot|does|never|asks|begins|counts|finds|gives|keeps|knows|lets|makes|needs|opens|reads|redraws|refuses|says|sends|shows|takes|tells|uses)\b/i

function withoutSubject(source: string): string[] {
  return [...source.matchAll(TITLE)].flatMap(([, kind, , title = '']) =>
    RELATIVE.test(title) || (!kind?.endsWith('describe') && (VERB.test(title) || title.split(' ').length < 3)) ? [title] : [],
  )
}

describe('titles of tests', () => {
  it('begin with a subject', () => {
    const files = ['src-main', 'src-renderer', 'src-shared', 'e2e'].flatMap((room) =>
      readdirSync(new URL(room, root), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(?:test|spec)\.tsx?$/.test(name))
        .map((name) => `${room}/${name}`),
    )
    expect(files.length).toBeGreaterThan(400)
    expect(
      files.flatMap((path) => withoutSubject(readFileSync(new URL(path, root), 'utf8')).map((title) => `${path}: ${title}`)),
    ).toEqual([])
  })

  it('are found when planted without one', () => {
    const planted = ['What is kept', 'two at once', 'keeps its order', 'Import skips an entry']
    const tests = planted.map((title) => `it('${title}', () => {\n  it('keeps its order', () => {})\n})\n`).join('')
    expect(withoutSubject(`${tests}describe('Whose turn it is', () => {})\ndescribe('a turn', () => {})\n`)).toEqual([
      'What is kept',
      'keeps its order',
      'Whose turn it is',
    ])
    expect(withoutSubject("it('twice', () => {})\n] as const)('is %s', () => {})\n")).toEqual(['twice', 'is %s'])
  })
})
