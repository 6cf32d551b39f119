import { parseChallenges, scopesOf } from '../../src-main/auth/challenge.ts'
import { serverMetadataUrls } from '../../src-main/auth/discovery.ts'
import { canonicalResource } from '../../src-main/auth/resource-uri.ts'
import { repairedArguments } from '../../src-main/host/conversations/argument-repair.ts'
import { fileName } from '../../src-main/host/conversations/conversation-files.ts'
import { headOf, knownMime } from '../../src-main/host/core/content-views.ts'
import { stderrCause } from '../../src-main/host/doctor/stderr-cause.ts'
import { formatOf } from '../../src-main/host/imports/configurations.ts'
import { placeholder, variablePieces } from '../../src-main/host/imports/variables.ts'
import { launchedCode } from '../../src-main/host/launch/launched-code.ts'
import { wireNames } from '../../src-main/host/offerings/wire-names.ts'
import { readCommand, readPairs } from '../../src-main/models/demo-grammar.ts'
import { readPhrase, toolsMeant } from '../../src-main/models/demo-phrases.ts'
import { sentTool } from '../../src-main/models/sent-tool.ts'
import { base64Size } from '../../src-main/protocol/shapes/base64.ts'
import { serveJobs } from '../../src-main/threads/serve-jobs.ts'
import { SseReader } from '../../src-main/transports/http/sse-reader.ts'
import { requestIdOf } from '../../src-main/transports/oversized-reply.ts'
import { emphasise } from '../../src-renderer/content/text/emphasis.ts'
import { firstLines } from '../../src-renderer/content/text/first-lines.ts'
import { isBounded } from '../../src-renderer/content/text/markdown-bounds.ts'
import { splitBlocks } from '../../src-renderer/content/text/split-blocks.ts'
import { cutPieces } from '../../src-renderer/content/text/text-pieces.ts'
import { parseCsv } from '../../src-renderer/content/viewers/csv-rows.ts'
import { lineDiff } from '../../src-renderer/content/viewers/line-diff.ts'
import { resourceKind, uriFileName as savedName } from '../../src-renderer/content/viewers/resource-kind.ts'
import { withoutColours } from '../../src-renderer/servers/labels/terminal-text.ts'
import { visibleParts } from '../../src-renderer/ui/visible-text.ts'
import { nearnessOf } from '../../src-shared/base/hosts.ts'
import { looksSecret, redactUnknown } from '../../src-shared/base/secrets.ts'
import { webAddress } from '../../src-shared/base/web-address.ts'
import { completedJson } from '../../src-shared/foreign/any-json.ts'
import { withoutComments } from '../../src-shared/foreign/without-comments.ts'
import { matchesFormat } from '../../src-shared/forms/text-formats.ts'
import { uriProblem } from '../../src-shared/mcp/uri.ts'
import { expandUriTemplate, parseUriTemplate } from '../../src-shared/mcp/uri-template.ts'

/** Work on texts of servers and models where somebody waits: in the page, and in the host's main thread. */
const SUBJECTS: Readonly<Record<string, (text: string) => unknown>> = {
  'secrets in texts': (text) => [redactUnknown(text), looksSecret(text)],
  'paths and hosts': emphasise,
  'blocks of Markdown': splitBlocks,
  'bounds of Markdown': isBounded,
  'pieces of a long text': cutPieces,
  'the first lines': (text) => firstLines(text),
  'what is invisible': visibleParts,
  colours: withoutColours,
  'comma separated values': (text) => parseCsv(text),
  'differences of lines': (text) => lineDiff(text, `${text}.`),
  'the head of a text': (text) => headOf(text + 'x'.repeat(text.length * 3), Buffer.byteLength(text) + 1),
  // As many lines as are kept of a program, as long as they are kept.
  'what a program said last': (text) =>
    stderrCause(Array.from({ length: 1_000 }, () => text.slice(0, 2_000) + text.slice(-2_000))),
  hosts: nearnessOf,
  addresses: (text) => [webAddress(text), webAddress(`http://${text}`), webAddress(`http://a.example/${text}`), uriProblem(text)],
  'kinds of resources': (text) => [resourceKind(text, text, 'text'), savedName(text), knownMime(text), fileName(text)],
  'formats of forms': (text) =>
    (['email', 'uri', 'date', 'date-time'] as const).map((format) =>
      [text, `a:${text}`].map((one) => matchesFormat(format, one)),
    ),
  'templates of addresses': (text) => attempt(() => parseUriTemplate(text)),
  'what fills in a template': (text) => expandUriTemplate(parseUriTemplate('{+a}{a}{a:9}'), { a: text }),
  'commands for the Demo model': (text) => [readCommand(`use ${text}`), readPairs(text)],
  'sentences for the Demo model': (text) =>
    ['', 'add 1', 'delete note '].map((start) => [toolsMeant(start + text), readPhrase(start + text, [])]),
  challenges: (text) => [parseChallenges(text), parseChallenges(`Bearer ${text}`), scopesOf(text)],
  'addresses of metadata': (text) =>
    attempt(() => [serverMetadataUrls(`https://a.example/${text}`), canonicalResource(`https://a.example/${text}`)]),
  'an event stream': (text) => {
    const reader = new SseReader(text.length * 4)
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += 1_000) {
      reader.push(bytes.subarray(at, at + 1_000))
      while (reader.next()) {}
    }
  },
  'whose reply was too large': (text) => [
    requestIdOf(text.slice(0, 4_096), text.slice(-4_096)),
    requestIdOf(`{"a":"${text}`.slice(0, 4_096), ''),
  ],
  base64: (text) => base64Size(text),
  'names of tools': (text) => wireNames([{ serverId: 'a', name: text }]),
  'tools for a provider': (text) => {
    const inputSchema = { type: 'object', properties: { [text]: { type: text } } }
    return (['anthropic', 'openai'] as const).map((kind) => sentTool({ name: 'a', description: text, inputSchema }, kind))
  },
  'configurations of other hosts': (text) =>
    [text, `{${text}`, `{"${text}`].map((one) => [completedJson(one), formatOf(one), withoutComments(`${one}\n//`)]),
  'values of other hosts': (text) => [
    variablePieces(text, new Set(['env', 'braces', 'dollar', 'code']), { home: '/', separator: '/' }),
    placeholder(text),
    placeholder(`Bearer ${text}\nx`),
  ],
  packages: (text) =>
    ['npx', 'uvx', 'docker'].map((command) => launchedCode(command, [`a==1${text}!`, `a@1.2.3-${text}!`], 'linux')),
}

/** Costs that are chosen by how many, not by which letters. */
const COUNTS: Readonly<Record<string, () => unknown>> = {
  'arguments to repair': () => {
    const names = Array.from({ length: 30_000 }, (_, n) => `n${n}`)
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'number' }]))
    return repairedArguments({ type: 'object', properties }, Object.fromEntries(names.map((name) => [name, '1'])))
  },
  'tools whose names are taken': () =>
    wireNames(
      Array.from({ length: 10_000 }, (_, n) => ({ serverId: 'a', name: `${'!'.repeat(n % 100)}${'x'.repeat(100)}${n}` })),
    ),
  'references to a list of types': () => {
    const $defs = { long: { type: Array.from({ length: 1_000_000 }, () => 'string') } }
    const properties = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`n${n}`, { $ref: '#/$defs/long' }]))
    return sentTool({ name: 'a', description: '', inputSchema: { type: 'object', properties, $defs } }, 'openai')
  },
  'lines that differ in their last letter': () => {
    const line = 'x'.repeat(8_000)
    const lines = (from: number) => Array.from({ length: 999 }, (_, n) => line + (from + n)).join('\n')
    return lineDiff(lines(1_000), lines(3_000))
  },
  'rows after a table that never began': () => splitBlocks(`|a|\n|${'-'.repeat(2_900)}x\n${'|a\n'.repeat(100_000)}`),
  'a secret as long as a message': () => redactUnknown(`"token":"${'a'.repeat(32_000_000)}`),
  'blocks and definitions': () => splitBlocks(`${definitions()}${'[a0]\n\n'.repeat(50_000)}`).map(({ text }) => isBounded(text)),
}

const definitions = () => Array.from({ length: 100 }, (_, n) => `[a${n}]: https://a.example/${'x'.repeat(3_000)}\n`).join('')

/** A subject and the texts that it is given; what is asked by number comes without texts. */
export interface HostileJob {
  readonly subject: string
  readonly texts: readonly HostileText[]
}

export interface HostileText {
  readonly start: string
  readonly again: string
  readonly end: string
  readonly length: number
}

serveJobs<HostileJob, number>(({ subject, texts }) => {
  const count = COUNTS[subject]
  if (count) count()
  for (const { start, again, end, length } of texts) {
    // Flat, or the first that reads it pays for putting it together.
    const text = Buffer.from(`${start}${again.repeat(Math.ceil(length / again.length))}${end}`, 'utf16le').toString('utf16le')
    SUBJECTS[subject]?.(text)
  }
  return count ? 1 : SUBJECTS[subject] ? texts.length : 0
})

/** An error is an answer; that it comes is what counts. */
function attempt(read: () => unknown): void {
  try {
    read()
  } catch (error) {
    if (error instanceof RangeError) throw error
  }
}
