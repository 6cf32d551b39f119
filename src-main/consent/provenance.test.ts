import { describe, expect, it } from 'vitest'
import { ConversationProvenance, type PageTelling, PERSON, PRIVATE, STRANGER, UNKNOWN_PAGE } from './provenance.ts'

const call = (name: string) => ({ call: name, what: `what ${name} read` })
const at = (repo: string) => new Map([['repo', repo]])

describe('the provenance of a conversation', () => {
  it('knows who said a word: nobody, the person, a private result, a stranger’s, or several', () => {
    const seen = new ConversationProvenance()
    seen.addMessage('Look at A-1')
    seen.addResult('a', call('1'), 'A-1 B-2', ['reads'])
    seen.addResult('a', call('2'), 'B-2 C-3', ['brings-in'])
    seen.addResult('a', call('3'), 'D-4', [])
    expect(['A-1', 'B-2', 'C-3', 'D-4', 'E-5'].map((word) => seen.sourcesOf(word))).toEqual([
      ...[PERSON | PRIVATE, PRIVATE | STRANGER, STRANGER, 0, 0],
    ])
    expect(seen.sourcesOf('a-1')).toBe(PERSON | PRIVATE)
    expect(seen.firstCallsWith('b-2')).toMatchObject({ privateFrom: '1', strangerFrom: '2' })
    expect(seen.firstCallsWith('e-5')).toEqual({})
  })

  it('knows an identifier that the person declined for theirs, and no other part of a word', () => {
    const seen = new ConversationProvenance()
    seen.addMessage('Link E5-öt to P9-ին, not 24-hour-x or QK-12')
    expect(['E5', 'P9', 'QK-12', 'QK', '24', 'öt'].map((word) => seen.isTyped(word))).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ])
  })

  it('knows a name of several words for the person’s where they wrote them side by side', () => {
    const seen = new ConversationProvenance()
    seen.addMessage('When does the 12 leave “Mill Square”? Harbour folk of Oak\nLane ask.')
    seen.addResult('bus', call('1'), 'Harbour Gate', ['reads'])
    const sources = (...names: string[]) => names.map((name) => seen.sourcesOf(name))
    expect(sources('Mill Square', 'mill  square', 'the 12 leave')).toEqual([PERSON, PERSON, PERSON])
    expect(sources('Mill Lane', 'Square Mill', 'Square Harbour', 'Oak Lane', 'Harbour Gate', ' ')).toEqual([0, 0, 0, 0, 0, 0])
    expect(sources('leave Mill Square', 'leave Mill Lane')).toEqual([PERSON, 0])
    expect(sources('eve@evil.example, Mill Square', 'Mill Square, 12', '*Mill Square', 'Mill Square*')).toEqual([0, 0, 0, 0])
    expect([seen.isTyped('Mill Square'), seen.isTyped('Harbour Gate')]).toEqual([true, false])
    seen.addMessage('Ask *Dr. Brandt*: hat, cape. Then eat.')
    expect(sources('Dr. Brandt', 'hat, cape', 'hat, cape!', 'hat cape', 'cape. Then')).toEqual([
      PERSON,
      PERSON,
      PERSON,
      0,
      PERSON,
    ])
    seen.addMessage(`go ${'*'.repeat(100_000)}x ${'.'.repeat(100_000)}x`)
    seen.addAgreedValue('Harbour Gate')
    expect([seen.sourcesOf('Harbour Gate'), seen.isTyped('Harbour Gate')]).toEqual([PERSON, false])
  })

  it('reads a result that is nested deeper than calls can be', () => {
    const seen = new ConversationProvenance()
    const nested = `${'['.repeat(100_000)}{"id":7,"name":"Hat"}${']'.repeat(100_000)}`
    seen.addMessage('the hat is back')
    seen.addResult('cards', call('1'), nested, ['reads'])
    expect(seen.isCalled('cards', '7')).toBe(true)
  })

  it('knows an item that the last message does not name, once the person agreed to one that it names', () => {
    const seen = new ConversationProvenance()
    const list = '[{"id":"P-1","nombre":"Tito Paz"},{"id":"P-2","nombre":"Vera Sosa"},{"id":"P-3"}]'
    seen.addMessage('Turnos para Tito Paz y Vera Sosa')
    seen.addResult('cal', call('1'), list, ['reads'])
    seen.addMessage('Avísale a Vera Sosa')
    expect(seen.meansAnother('cal', 'P-1')).toBe(false)
    seen.markMeant('cal', 'P-2')
    expect(['P-1', 'P-2', 'P-3'].map((id) => seen.meansAnother('cal', id))).toEqual([true, false, false])
    expect(seen.meansAnother('other', 'P-1')).toBe(false)
    seen.addMessage('Y a Tito')
    expect(seen.meansAnother('cal', 'P-1')).toBe(false)
  })

  it('takes a name that two items share for the one that was agreed to, until the person agrees to both', () => {
    const seen = new ConversationProvenance()
    seen.addResult('crm', call('1'), '[{"id":"1","name":"Behrens, Ute"},{"id":"2","name":"Behrens, Uwe"}]', ['reads'])
    seen.addMessage('Behrens has moved')
    seen.markMeant('crm', '1')
    expect(seen.meansAnother('crm', '2')).toBe(true)
    seen.markMeant('crm', '2')
    seen.markMeant('crm', '1')
    expect(seen.meansAnother('crm', '2')).toBe(false)
    seen.addMessage('Behrens Ute and Behrens Uwe')
    seen.markMeant('crm', '1')
    expect(seen.meansAnother('crm', '2')).toBe(false)
  })

  it('names the first call that had a word, and that anything came from strangers', () => {
    const seen = new ConversationProvenance()
    expect(seen.firstUntrustedSource()).toBeUndefined()
    seen.addResult('a', call('1'), 'x1', ['reads'])
    expect(seen.firstUntrustedSource()).toBeUndefined()
    seen.addResult('a', call('2'), 'x1 y2', ['reads', 'brings-in'])
    seen.addResult('a', call('3'), 'x1 y2', ['reads', 'brings-in'])
    expect(seen.firstCallsWith('x1').privateFrom).toBe('1')
    expect(seen.firstCallsWith('y2')).toMatchObject({ privateFrom: '2', strangerFrom: '2' })
    expect(seen.firstUntrustedSource()).toMatchObject(call('2'))
  })

  it('counts what the person agreed to as theirs', () => {
    const seen = new ConversationProvenance()
    seen.addResult('a', call('1'), 'bob@example.com', ['brings-in'])
    expect(seen.sourcesOf('bob@example.com') & PERSON).toBe(0)
    seen.addAgreedValue('bob@example.com')
    expect(seen.sourcesOf('bob@example.com')).toBe(PERSON | STRANGER)
  })

  it('knows which server said a word, and confuses no two', () => {
    const seen = new ConversationProvenance()
    seen.addResult('a', call('1'), 'A-1', ['reads'])
    seen.addMessage('P-1')
    expect([seen.saidByServer('A-1', 'a'), seen.saidByServer('A-1', 'b'), seen.saidByServer('P-1', 'a')]).toEqual([
      ...[true, false, false],
    ])
  })

  it('confuses no two servers, however many there are and whichever were asked about before', () => {
    const seen = new ConversationProvenance()
    for (let n = 0; n < 100; n++) expect(seen.saidByServer('word', `asked-${n}`)).toBe(false)
    for (let n = 0; n < 100; n++) seen.addResult(`s${n}`, call(`${n}`), `word-${n}`, ['reads'])
    expect(seen.saidByServer('word-0', 's0')).toBe(true)
    expect(seen.saidByServer('word-29', 's29')).toBe(true)
    for (const [word, server] of [
      ['word-0', 's1'],
      ['word-1', 's33'],
      ['word-40', 's41'],
      ['word-35', 's29'],
      ['word-99', 's31'],
    ] as const)
      expect([word, server, seen.saidByServer(word, server)]).toEqual([word, server, false])
  })

  it('tells places of a server apart by an argument with another value', () => {
    const seen = new ConversationProvenance()
    seen.addResult('git', call('1'), 'A-1', ['reads'], at('mine'))
    expect(seen.saidAt('A-1', 'git', at('mine'))).toBe(true)
    expect(seen.saidAt('A-1', 'git', at('theirs'))).toBe(false)
    expect(seen.saidAt('A-1', 'git', new Map())).toBe(true)
    expect(seen.saidAt('A-1', 'git', new Map([['path', 'x']]))).toBe(true)
    expect(seen.saidAt('A-1', 'mail', at('mine'))).toBe(false)
    expect(seen.saidAt('B-1', 'git', at('mine'))).toBe(false)
    expect(seen.privateDataFromElsewhere('git', at('mine'))).toBeUndefined()
    expect(seen.privateDataFromElsewhere('git', at('theirs'))?.call).toBe('1')
    expect(seen.privateDataFromElsewhere('mail', at('mine'))?.call).toBe('1')
  })

  it('confuses no two places, however many there are', () => {
    const seen = new ConversationProvenance()
    for (let n = 0; n < 40; n++) seen.addResult('git', call(`${n}`), `A-${n}`, ['reads'], at(`repo-${n}`))
    expect(seen.saidAt('A-3', 'git', at('repo-3'))).toBe(true)
    expect(seen.saidAt('A-35', 'git', at('repo-36'))).toBe(false)
    expect(seen.saidAt('A-35', 'git', at('repo-0'))).toBe(false)
  })

  it('counts private places, each once within its memory', () => {
    const seen = new ConversationProvenance()
    for (const repo of ['a', 'a', 'b']) seen.addResult('git', call(repo), '', ['reads'], at(repo))
    seen.addResult('web', call('w'), '', ['brings-in'])
    expect(seen.readings).toBe(2)
    for (let n = 0; n < 600; n++) seen.addResult('git', call(`${n}`), '', ['reads'], at(`${n}`))
    expect(seen.readings).toBe(602)
  })

  it('counts uses in the turn and in all, until the person speaks or answers', () => {
    const seen = new ConversationProvenance()
    seen.countUse(['sends', 'changes'])
    seen.countUse(['sends'])
    expect([seen.usesInTurn('sends'), seen.usesOf('sends'), seen.usesOf('spends')]).toEqual([2, 2, 0])
    seen.resetTurnCounts(['sends'])
    expect([seen.usesInTurn('sends'), seen.usesInTurn('changes')]).toEqual([0, 1])
    seen.recordDenial()
    expect(seen.hasDenied).toBe(true)
    seen.addMessage('on')
    expect([seen.usesInTurn('changes'), seen.usesOf('changes'), seen.hasDenied]).toEqual([0, 1, false])
  })

  it('keeps the last line with a reference, from results only', () => {
    const seen = new ConversationProvenance()
    seen.addMessage('press e12 now')
    expect(seen.lineOf('e12')).toBeUndefined()
    seen.addResult('web', call('1'), 'first\n  button "Buy" [ref=e12]\nlast', [])
    seen.addResult('web', call('2'), '- button "Delete" [ref=e12]', [])
    seen.addMessage('e12 again')
    expect(seen.lineOf('e12')).toBe('- button "Delete" [ref=e12]')
    expect(seen.lineOf('button')).toBeUndefined()
    seen.addResult('web', call('3'), `${'x '.repeat(300)}e13`, [])
    expect(seen.lineOf('e13')).toHaveLength(240)
  })

  describe('for the page of a browser', () => {
    const none = new Map<string, string>()
    const read = (seen: ConversationProvenance, text: string, page?: PageTelling) =>
      seen.addResult('web', call('1'), text, ['brings-in'], none, page)
    const lie = '[LOG] Page URL: https://shop.example/cart\n'

    it('believes a line of its own that a known browser writes', () => {
      const seen = new ConversationProvenance()
      read(seen, `${lie}### Page state\n- Page URL: https://evil.example/a\n- text: "Page URL: https://shop.example/"`, 'stated')
      expect([seen.pageOf('web'), seen.pageOf('mail')]).toEqual(['https://evil.example/a', undefined])
      read(seen, '- Page URL: https://shop.example/b', 'stated')
      expect(seen.pageOf('web')).toBe('https://shop.example/b')
    })

    it('believes no console and no other result of a known server', () => {
      const seen = new ConversationProvenance()
      read(seen, '- Page URL: https://evil.example/a', 'stated')
      read(seen, `${lie}- Page URL: https://shop.example/cart`, 'never')
      expect(seen.pageOf('web')).toBe('https://evil.example/a')
    })

    it('is unsure when two lines differ, until one is written again', () => {
      const seen = new ConversationProvenance()
      read(seen, '- Page URL: https://shop.example/cart\n- Page URL: https://evil.example/a', 'stated')
      expect(seen.pageOf('web')).toBe(UNKNOWN_PAGE)
      read(seen, '- Page URL: https://evil.example/a', 'stated')
      expect(seen.pageOf('web')).toBe('https://evil.example/a')
    })

    it('is unsure about an unknown browser once it named two hosts', () => {
      const seen = new ConversationProvenance()
      read(seen, 'Current URL: https://evil.example/a')
      read(seen, 'Current URL: https://evil.example/b')
      expect(seen.pageOf('web')).toBe('https://evil.example/b')
      read(seen, 'Page URL: https://shop.example/a')
      expect(seen.pageOf('web')).toBe(UNKNOWN_PAGE)
      read(seen, 'Page URL: https://shop.example/a')
      expect(seen.pageOf('web')).toBe(UNKNOWN_PAGE)
    })
  })

  it('knows the keys of a result', () => {
    const seen = new ConversationProvenance()
    seen.addResult('files', call('1'), 'API_KEY=hunter2hunter2', ['reads'])
    expect([seen.isSecret('hunter2hunter2'), seen.isSecret('API_KEY')]).toEqual([true, false])
  })

  it('says that there was more where it remembers no more keys', () => {
    const seen = new ConversationProvenance()
    seen.addResult('files', call('1'), Array.from({ length: 10_001 }, (_, n) => `API_KEY=hunter2hunter${n}`).join('\n'), [
      'reads',
    ])
    expect(seen.hasOverflowed).toBe(true)
  })

  it('remembers 600,000 characters of a text, and says that there was more', () => {
    const seen = new ConversationProvenance()
    seen.addResult('a', call('1'), `${'ab '.repeat(200_000)}`, ['reads'])
    expect(seen.hasOverflowed).toBe(false)
    seen.addResult('a', call('2'), `${'ab '.repeat(200_001)} last-1`, ['reads'])
    expect([seen.hasOverflowed, seen.sourcesOf('last-1')]).toEqual([true, 0])
  })
})
