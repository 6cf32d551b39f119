import { expect, it } from 'vitest'
import { askOnPage } from './damaged-page.ts'

const asked = {
  title: 'Parley’s database is damaged',
  detail: 'It is <b>damaged</b>.\n\nThere is a copy.',
  start: 'Start with the copy of November 24, 2026',
  choice: { is: 'copy', name: 'parley-2026-11-24.db' },
} as const

function ask() {
  const link = Promise.withResolvers<string>()
  const stop = new AbortController()
  const answer = askOnPage(asked, 0, link.resolve, stop.signal)
  answer.catch(() => {})
  return { link: link.promise, stop, answer }
}
const post = (url: string, origin: string | undefined) => fetch(url, { method: 'POST', headers: origin ? { origin } : {} })

it('the page about a damaged database starts what the person chose, or quits', async () => {
  for (const [path, chosen] of [
    ['start', true],
    ['quit', false],
  ] as const) {
    const { link, answer } = ask()
    const url = await link
    const page = await (await fetch(url)).text()
    for (const words of [
      'It is &#60;b&#62;damaged&#60;/b&#62;.',
      `>${asked.start}</button>`,
      `action="${new URL(url).pathname}/start"`,
    ]) {
      expect(page).toContain(words)
    }
    expect((await post(`${url}/${path}`, new URL(url).origin)).status).toBe(200)
    expect(await answer).toBe(chosen)
    await expect(fetch(url)).rejects.toThrow()
  }
})

it('the page about a damaged database requires its secret and its own origin', async () => {
  const { link, stop, answer } = ask()
  const url = await link
  const { origin, pathname } = new URL(url)
  const strangers = [
    fetch(origin),
    fetch(`${origin}/${pathname.slice(1).replace(/./g, 'x')}`),
    post(`${origin}/start`, origin),
    post(`${url}/start`, undefined),
    post(`${url}/start`, 'https://elsewhere.example'),
    fetch(`${url}/else`),
  ]
  expect((await Promise.all(strangers)).map(({ status }) => status)).toEqual(strangers.map(() => 404))
  stop.abort(new Error('stopped'))
  await expect(answer).rejects.toThrow('stopped')
})
