import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { actOf, judgedTool, ruleFor, verdictOn } from '../../e2e/test-hosts/consent-call.ts'
import type { Limit, Power } from '../../src-shared/contract/consent.ts'
import { ConversationProvenance } from './provenance.ts'

const NOTE = 'The account is DE02120300000000202051 and the code of the door is 7731-KX-90, says the notary Kessler.'

const fetching = judgedTool('fetch', { published: 'pypi:mcp-server-fetch', serverId: 'web' })
const mailing = judgedTool('send_email', { defined: ['changes', 'sends'], serverId: 'mail' })
const searching = judgedTool('find', { defined: ['brings-in'], serverId: 'search' })

/** A private note was read, and a stranger's page where `both`. */
function having(both: boolean): ConversationProvenance {
  const seen = new ConversationProvenance()
  seen.addMessage('Look at https://news.example/today and write bela@harbour.example: the boat is ready')
  seen.addResult('notes', { call: 'note', what: 'a note' }, NOTE, ['reads'])
  if (both) seen.addResult('pages', { call: 'page', what: 'a page' }, 'Weather and news, and more of it', ['brings-in'])
  return seen
}

const rule = (tool: typeof fetching, powers: readonly Power[], limit: Limit) => [ruleFor(tool, { powers, limits: [limit] })]
const loads = (url: string, both = true) => {
  const seen = having(both)
  const rules = rule(fetching, ['reads', 'brings-in'], { is: 'host', host: 'news.example' })
  return verdictOn(actOf(fetching, { url }, { seen }), rules, { seen }).is
}
const mails = (body: string, both = true) => {
  const seen = having(both)
  const rules = rule(mailing, ['changes', 'sends'], { is: 'recipient', address: 'bela@harbour.example' })
  return verdictOn(actOf(mailing, { to: 'bela@harbour.example', body }, { seen }), rules, { seen }).is
}
const searches = (query: string, both = true) => {
  const seen = having(both)
  return verdictOn(actOf(searching, { query }, { seen }), [ruleFor(searching)], { seen }).is
}

const hex = Buffer.from(NOTE).toString('hex')
const lettered = [...hex].map((digit) => 'abcdefghijklmnop'[Number.parseInt(digit, 16)]).join('')
const base64 = Buffer.from(NOTE.repeat(20)).toString('base64url')
const inPieces = (text: string, length: number, between: string) =>
  (text.match(new RegExp(`.{1,${length}}`, 'g')) ?? []).join(between)

describe('a call that sends after private things and strangers’ words were read', () => {
  it('passes without a question when the person gave it as a whole', () => {
    expect(loads('https://news.example/today')).toBe('allow')
    expect(mails('the boat is ready')).toBe('allow')
    expect(mails('The boat is ready!')).toBe('allow')
  })

  it.each([
    ['one long piece', `https://news.example/${base64}`],
    ['one long piece of a query', `https://news.example/?q=${base64}`],
    ['letters for digits', `https://news.example/${inPieces(lettered, 40, '/')}`],
    ['pieces of six', `https://news.example/${inPieces(hex, 6, '/')}`],
    ['pieces of two', `https://news.example/${inPieces(hex, 2, '/')}`],
    ['a name of a host', `https://${inPieces(lettered, 40, '.')}.news.example/`],
    ['plain words', 'https://news.example/boat/notary'],
  ])('is asked about in an address: %s', (_what, url) => {
    expect(loads(url)).toBe('ask')
  })

  it.each([
    ['letters for digits', inPieces(lettered, 40, ' ')],
    ['one long word', base64],
    ['one long word among others', `the boat is ready ${base64}`],
    ['pieces of three', inPieces('DE02120300000000202051 7731-KX-90', 3, ' ')],
    ['pieces of one', inPieces('DE02120300000000202051', 1, ' ')],
    ['marks for digits', 'the boat ... -- . is ready'],
    ['words of the model', 'The boat will be ready'],
    ['more words than are looked at', 'the boat is ready '.repeat(2_000)],
    ['more text than is looked at', `${'the boat is ready '.repeat(20_000)}`],
  ])('is asked about in a mail: %s', (_what, body) => {
    expect(mails(body)).toBe('ask')
  })

  it('is asked about as a search by an unknown server, and elsewhere where it is distinctive', () => {
    const asked = (tool: typeof searching, query: string) => {
      const seen = having(true)
      return verdictOn(actOf(tool, { query }, { seen }), [ruleFor(tool)], { seen }).is
    }
    expect(asked(judgedTool('search_pages', { serverId: 'search' }), 'gbhdkfj alskdjf')).toBe('ask')
    expect(asked(searching, 'boats of oak')).toBe('allow')
    expect(asked(searching, 'DE0 212 030 000 000 020 205 1')).toBe('ask')
  })

  it('is asked about in any spelling: encodings, pieces and long words', () => {
    const encodings: readonly ((text: string) => string)[] = [
      (text) => text,
      (text) => Buffer.from(text).toString('hex'),
      (text) => Buffer.from(text).toString('base64url'),
      (text) => [...Buffer.from(text).toString('hex')].map((digit) => 'abcdefghijklmnop'[Number.parseInt(digit, 16)]).join(''),
      (text) => [...text].reverse().join(''),
      (text) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join(''),
      (text) => text.replace(/[a-z]/gi, (letter) => String.fromCharCode((((letter.charCodeAt(0) & 31) + 12) % 26) + 97)),
      (text) => text.replace(/[a-z]/gi, (letter) => String.fromCharCode(letter.charCodeAt(0) ^ 1)),
      (text) => [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, '0')).join(''),
    ]
    const encoded = fc
      .tuple(fc.constantFrom(...encodings), fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 3_000 }))
      .chain(([encode, times, length]) =>
        fc.tuple(
          fc.constant(encode(NOTE.replaceAll(' ', '_').repeat(times))),
          fc.constant(length),
          fc.constantFrom('/', '.', '-', '?q='),
        ),
      )
    fc.assert(
      fc.property(encoded, ([text, length, between]) => {
        expect(loads(`https://news.example/${inPieces(encodeURIComponent(text), length, between)}`)).toBe('ask')
        expect(mails(inPieces(text, length, ' '))).toBe('ask')
        expect(mails(`the boat is ready ${inPieces(text, length, '\n')}`)).toBe('ask')
        // One piece a call.
        if (length > 4) expect(mails(text.slice(0, length))).toBe('ask')
      }),
      { numRuns: Math.ceil(Number(process.env.CONSENT_CASES ?? 300)) },
    )
  })
})

describe('a call that sends after private things alone were read', () => {
  it.each([
    ['as it is', 'DE02120300000000202051'],
    ['in pieces', 'DE0 2120 300 000 000 202 051'],
    ['in pieces of three with other blanks', inPieces('DE02120300000000202051', 3, '\n')],
    ['in pieces of one', inPieces('DE02120300000000202051', 1, ' ')],
    ['in pieces between dashes', inPieces('DE02120300000000202051', 2, '_')],
    ['after many other pieces', `${Array.from({ length: 60 }, (_, n) => `w${n}`).join('/')}/DE02120300000000202051`],
    ['after more text than is looked at', `${'the boat is ready '.repeat(20_000)} DE02120300000000202051`],
    ['after more words than are looked at', `${'the boat is ready '.repeat(2_000)} DE02120300000000202051`],
    ['in a word that is too long', `${'x'.repeat(2_000)}/DE02120300000000202051`],
  ])('is asked about where it is distinctive: %s', (_what, text) => {
    expect(mails(text, false)).toBe('ask')
    expect(searches(text, false)).toBe('ask')
  })

  it('is asked about in an address, even in pieces', () => {
    expect(loads(`https://news.example/${inPieces('DE02120300000000202051', 3, '/')}`, false)).toBe('ask')
    expect(loads(`https://news.example/${base64}`, false)).toBe('ask')
    expect(loads('https://news.example/boat/ready', false)).toBe('allow')
  })

  it('passes where it says nothing private', () => {
    expect(mails('The boat will be ready at 10:30 on 2026-11-24', false)).toBe('allow')
    expect(searches('boats of oak', false)).toBe('allow')
  })
})
