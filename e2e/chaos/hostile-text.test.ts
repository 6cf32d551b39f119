import { afterAll, describe, expect, it } from 'vitest'
import { BoundedThread } from '../../src-main/threads/bounded-thread.ts'
import { Lifetime } from '../../src-shared/base/lifetime.ts'
import { Random } from '../fuzz/random.ts'
import { processorClock } from '../support/processor-clock.ts'
import type { HostileJob, HostileText } from './hostile-text-worker.ts'

/**
 * Code of quadratic cost does not end for these: so many characters, squared, are more than the processor reads in the time. Code of
 * linear cost in its length ends long before the thread is given up.
 */
const LENGTH = 150_000
const GIVE_UP = 20_000
/** On a busy machine the processor's seconds may take minutes: it ends only what would never end. */
const NEVER = 60 * GIVE_UP

/** Repeated, they are nearly what some pattern of ours looks for, or open what is never closed. */
const NEARLY: readonly (readonly [start: string, again: string, end: string])[] = [
  ['', 'a', '!'],
  ['', 'a.', '!'],
  ['', 'a-', ' @'],
  ['', ' ', 'x'],
  ['x', ' \t', 'x'],
  ['', '\n', 'x'],
  ['', '\r', 'x'],
  ['', ' .', 'x'],
  ['', '.', 'x'],
  ['', '_', 'x'],
  ['x', '_', 'x'],
  ['x', '.', 'x'],
  ['x', '\ufffd', 'x'],
  ['', '/', 'x'],
  ['/', '/a', ' '],
  ['', '=', 'x'],
  ['"', '\\', ''],
  ['"', '\\"', ''],
  ['', '"', 'x'],
  ['"', 'a,\n', ''],
  ['"token":"', 'a', ''],
  ['"', 'token_', ''],
  ['', 'cookie: ', '\n'],
  ['', 'eyJ-', ''],
  ['', '?token', ''],
  ['', 'a://', ''],
  ['a://', 'b:', '@ '],
  ['', '\ufffd', 'x'],
  ['', '\u200b', 'x'],
  ['', '\u001b[', 'x'],
  ['', '{a}', '}'],
  ['{', 'a.', '!}'],
  ['{', 'a,', ''],
  ['', '%', 'x'],
  ['|a|\n|', '-', 'x\n|a\n|a\n|a\n'],
  ['', '|a\n', ''],
  ['', '[', ']'],
  ['', '[a]: b\n', ''],
  ['', '> ', 'x'],
  ['', '- ', 'x'],
  ['', '`', 'x'],
  ['', ' `', 'x'],
  ['', '```\n', ''],
  ['Bearer ', 'a="\\', ''],
  ['Bearer a', '=', 'x'],
  ['{', '"a":1,', ''],
  ['', 'need A_A_', ''],
  ['', 'expected ', 'x'],
  ['data:', 'a\n', ''],
  ['${', 'a', ''],
  ['', '${', ''],
]

const TOKENS = [
  ...' \t\n\r.,:;/\\"\'`=|-_+*~&%?#@<>()[]{}!a1Aé\u200b\u202e\ufffd',
  '\r\n',
  '\\"',
  '![',
  '](',
  'http://',
  '&a;',
  'id:',
  '"id":',
]

/** The same in every run. */
function drawn(count: number): readonly HostileText[] {
  const random = new Random(20_261_122)
  const some = (most: number) => Array.from({ length: random.below(most + 1) }, () => random.pick(TOKENS)).join('')
  return Array.from({ length: count }, () => ({
    start: some(3),
    again: random.pick(TOKENS) + some(2),
    end: some(3),
    length: LENGTH,
  }))
}

const TEXTS = [
  ...NEARLY.map(([start, again, end]): HostileText => ({ start, again, end, length: LENGTH })),
  ...drawn(process.env.PARLEY_LONG === '1' ? 30 : 8),
]

/** By their names in the thread: importing it here would be to do its work here. */
const READERS = [
  'secrets in texts',
  'paths and hosts',
  'blocks of Markdown',
  'bounds of Markdown',
  'pieces of a long text',
  'the first lines',
  'what is invisible',
  'colours',
  'comma separated values',
  'differences of lines',
  'the head of a text',
  'what a program said last',
  'hosts',
  'addresses',
  'kinds of resources',
  'formats of forms',
  'templates of addresses',
  'what fills in a template',
  'commands for the Demo model',
  'sentences for the Demo model',
  'challenges',
  'addresses of metadata',
  'an event stream',
  'whose reply was too large',
  'base64',
  'names of tools',
  'tools for a provider',
  'configurations of other hosts',
  'values of other hosts',
  'packages',
]
const COUNTS = [
  'arguments to repair',
  'tools whose names are taken',
  'references to a list of types',
  'lines that differ in their last letter',
  'rows after a table that never began',
  'a secret as long as a message',
  'blocks and definitions',
]

const lifetime = new Lifetime('test')
afterAll(() => lifetime.end())

/** One for all, since loading what it reads takes longer than most of the jobs; a job that is given up ends it, and the next gets another. */
const thread = new BoundedThread<HostileJob, number>({
  name: 'configurations',
  source: new URL('./hostile-text-worker.ts', import.meta.url),
  heap: 1_024,
  jobTime: GIVE_UP,
  idleTime: GIVE_UP,
  queueLimit: 10,
  clock: processorClock,
  lifetime,
})

describe('every reader of a server’s or model’s text ends', { timeout: NEVER }, () => {
  it.each(READERS)('%s', async (subject) => {
    expect(await thread.run(() => ({ subject, texts: TEXTS }))).toEqual({ is: 'done', answer: TEXTS.length })
  })

  it.each(COUNTS)('%s', async (subject) => {
    expect(await thread.run(() => ({ subject, texts: [] }))).toEqual({ is: 'done', answer: 1 })
  })
})
