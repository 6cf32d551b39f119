import type { Frame, Page } from 'playwright'
import { PAYLOADS } from '../servers/hostile-content/payloads.mjs'
import { expectNoFaults } from '../shells/axe.ts'
import { expect } from '../shells/shell-test.ts'
import { watchPage } from '../shells/watch-page.ts'
import { diagram, fenced, frameAt, preview, test } from './frame-steps.ts'
import { expectHarmless } from './hostile-steps.ts'

const GOOD = fenced('mermaid', 'flowchart LR\n  A[One] --> B[Two]')
const PAGE = fenced('html', '<h1>A page</h1>')

/** Drawing them takes minutes: all in the long run, each tenth in the short one. */
const CHOSEN = PAYLOADS.filter((_payload, n) => process.env.PARLEY_LONG === '1' || n % 10 === 0)

/** Dialogs, windows, downloads and requests to other hosts; who asks anything of the canary is told by that. */
const watch = (page: Page) =>
  watchPage(
    page,
    ({ protocol, hostname }) =>
      ['127.0.0.1', 'app.parley-page.localhost'].includes(hostname) || ['parley-page:', 'data:', 'blob:'].includes(protocol),
  )

/** A few at a time, as much as a message shows whole. */
function* shares(texts: readonly string[], most = 20_000): Generator<readonly string[]> {
  let share: string[] = []
  let length = 0
  for (const text of texts) {
    if (share.length > 0 && length + text.length > most) {
      yield share
      share = []
      length = 0
    }
    share.push(text)
    length += text.length
  }
  yield share
}

/** Payloads with a place that can be watched instead of one that nobody has. */
const at = (url: string, text: string) => text.replaceAll('http://foreign.example', url).replaceAll('//foreign.example', url)

/** Nothing ran in any frame, and each of them still answers. */
async function expectInert(page: Page): Promise<void> {
  for (const frame of page.frames()) {
    const seen = await frame.evaluate(async () => {
      await new Promise((resolve) => setTimeout(resolve))
      return { canary: 'canary' in window, inner: window.frames.length }
    })
    expect(seen.canary).toBe(false)
    if (frame !== page.mainFrame()) expect(seen.inner).toBe(0)
  }
}

test(`${CHOSEN.length} payloads stay harmless in formulas, diagrams and previewed pages (SEC-19)`, async ({
  shell,
  page,
  canary,
  say,
}) => {
  shell.forgivePageErrors()
  const seen = watch(page)
  await test.step('formulas are formulas or text, and nothing else', async () => {
    const line = (payload: string) => payload.replaceAll('\n', ' ').trim()
    let from = 0
    for (const texts of shares(
      CHOSEN.map((payload) => at(canary.url, payload)),
      8_000,
    )) {
      from += texts.length
      await say(
        texts.map((payload) => `$$\n${payload}\n$$\n\n$${line(payload)}$ \\(\\text{${line(payload)}}\\)\n\n`).join(''),
        // Formulas are drawn in their order.
        `$\\omega_{${from}}$`,
      )
      await expect(page.getByRole('article').last().locator('math')).toHaveText(`ω${from}`)
      await expectHarmless(page, seen)
      const foreign = await page
        .locator('math *')
        .evaluateAll((all) =>
          all.flatMap((one) => one.getAttributeNames()).filter((name) => /^(?:on.*|style|href|src|id)$/.test(name)),
        )
      expect(foreign).toEqual([])
    }
    await expect(page.locator('math').first()).toBeAttached()
  })
  await test.step('words of diagrams stay words', async () => {
    for (let from = 0; from < CHOSEN.length; from += 50) {
      const nodes = CHOSEN.slice(from, from + 50).map((payload, n) => {
        const label = at(canary.url, payload).replaceAll('"', '#quot;').replaceAll(/\s+/g, ' ').slice(0, 400)
        return `  n${n}["${label}"]`
      })
      await say(fenced('mermaid', `flowchart LR\n${nodes.join('\n')}`))
      const last = page.getByRole('article').last()
      await expect(last.getByRole('button', { name: 'Source' }).or(last.getByRole('status'))).toBeVisible()
      await expectHarmless(page, seen)
    }
    await expectInert(page)
    await expect(diagram(page).first()).toBeAttached()
  })
  await test.step('pages that are previewed run nothing and load nothing', async () => {
    const acts = (url: string) => `
    <link rel=preconnect href="${url}"><link rel=dns-prefetch href="${url}"><link rel=icon href="${url}/i.png">
    <svg><link xmlns="http://www.w3.org/1999/xhtml" rel=preconnect href="${url}"></link></svg>
    <meta http-equiv=refresh content="0;url=${url}/m"><base href="${url}/">
    <img src="${url}/a.png" srcset="${url}/b.png 2x"><style>@import "${url}/s.css"; @font-face{font-family:f;src:url(${url}/f)} body{font-family:f;background:url(${url}/c)}</style>
    <script type=speculationrules>{"prefetch":[{"urls":["${url}/p"]}]}</script><iframe src="${url}/f"></iframe><iframe srcdoc="<script>parent.canary=1</script>"></iframe>
    <a id=away href="${url}/away" ping="${url}/ping" target=_blank>away</a><form action="${url}/form"><button id=go>go</button></form>
    <svg><a href="${url}/svg"><text y=20>x</text></a><set attributeName=href to="javascript:window.canary=1"/></svg>
    <input autofocus onfocus="window.canary=1"><p id=end>the end</p>`
    for (const written of shares(CHOSEN.map((payload) => at(canary.url, payload).replaceAll('````', '')))) {
      // A payload that opens an element has the rest inside of it.
      await say(fenced('html', `${acts(canary.url)}${written.map((payload) => `<div>${payload}</div>`).join('\n')}`))
      await page.getByRole('button', { name: 'Preview', exact: true }).last().click()
      const inside = preview(page).contentFrame()
      await expect(inside.locator('#end')).toHaveText('the end')
      await inside.locator('#away').click()
      await inside.locator('#go').click()
      await expect(inside.locator('#end')).toHaveText('the end')
      await expect(inside.locator('script, link, meta, base, iframe, object, embed')).toHaveCount(0)
      await expectInert(page)
      await expectHarmless(page, seen)
      await page.getByRole('button', { name: 'Close', exact: true }).click()
      await expect(preview(page)).toHaveCount(0)
    }
    expect(page.context().pages()).toHaveLength(1)
  })
  expect(canary.called).toEqual([])
})

test('a diagram that wants to run, link, load and loosen its rules does none of it (SEC-19)', { tag: '@long' }, async ({
  shell,
  page,
  canary,
  say,
}) => {
  shell.forgivePageErrors()
  const seen = watch(page)
  const { url } = canary
  const hostile = [
    'flowchart LR\n  A --> B\n  click A href "javascript:window.canary=1"\n  click B call alert()',
    `%%{init: {"securityLevel": "loose", "htmlLabels": true}}%%\nflowchart LR\n  A["<img src='${url}/a.png' onerror='window.canary=1'>"]`,
    `%%{init: {"themeCSS": "@import url(${url}/a.css); * { background: url(${url}/b.png) }"}}%%\nflowchart LR\n  A --> B`,
    `---\nconfig:\n  securityLevel: loose\n  fontFamily: "x;}*{background:url(${url}/c.png)}"\n---\nflowchart LR\n  A --> B`,
    `flowchart LR\n  A@{ img: "${url}/pixel.png", label: "x", h: 60 }`,
    `flowchart LR\n  A --> B\n  classDef c fill:url(${url}/d),background:url(${url}/e)\n  class A c\n  style B fill:url(${url}/f)`,
    `flowchart LR\n  A["<iframe srcdoc='<script>parent.canary=1</script>'></iframe><form action='${url}'><button autofocus>Allow</button></form>"]`,
    `sequenceDiagram\n  participant A\n  link A: x @ javascript:window.canary=1\n  A->>A: <svg onload=window.canary=1>`,
    `classDiagram\n  class A\n  link A "${url}/g" "x"\n  callback A "alert"`,
    `flowchart LR\n  A["$$\\href{javascript:window.canary=1}{x}$$"]`,
    `gantt\n  dateFormat X\n  section <script>window.canary=1</script>\n  a :1, 2`,
    `flowchart LR\n${Array.from({ length: 600 }, (_, n) => `  a${n} --> a${n + 1}`).join('\n')}`,
  ]
  for (const source of hostile) {
    await say(fenced('mermaid', source))
    const last = page.getByRole('article').last()
    await expect(last.getByRole('button', { name: 'Source' }).or(last.getByRole('status'))).toBeVisible()
    const shown = last.locator('iframe[title="Diagram"]')
    if (await shown.count()) await shown.click()
    await expectHarmless(page, seen)
  }
  await expectInert(page)
  expect(page.context().pages()).toHaveLength(1)
  expect(canary.called).toEqual([])
})

test.describe('a frame of strangers’ content', () => {
  const cases = [
    ['a diagram', '/diagram/index.html', GOOD],
    ['a preview', '/preview/index.html', PAGE],
  ] as const

  test('has no origin: it reaches no bridge, no storage, no parent, no network (ARCH-06, SEC-19)', async ({
    shell,
    page,
    canary,
    say,
  }) => {
    shell.forgivePageErrors()
    const seen = watch(page)
    for (const [name, path, text] of cases) {
      await test.step(name, async () => {
        const before = shell.pageErrors.length
        const called = canary.called.length
        await say(text)
        if (text === PAGE) await page.getByRole('button', { name: 'Preview', exact: true }).click()
        await expect(text === PAGE ? preview(page) : diagram(page)).toBeVisible()
        await expect.poll(() => frameAt(page, path).length).toBe(1)
        const reached = await frameAt(page, path)[0]?.evaluate(tryAll, canary.url)
        expect(reached).toEqual({
          origin: 'null',
          bridge: false,
          parent: 'refused',
          bridgeOfParent: 'refused',
          storage: 'refused',
          network: 'refused',
          own: 'refused',
          socket: 'refused',
          eval: 'refused',
          script: 'refused',
          worker: 'refused',
          window: 'refused',
        })
        expect(canary.called.slice(called)).toEqual([])
        // Opened outside of the page, whose frame confines it too.
        const alone = await page.context().newPage()
        await alone.goto(frameAt(page, path)[0]?.url() ?? '')
        expect(await alone.evaluate(() => self.origin)).toBe('null')
        await alone.close()
        await frameAt(page, path)[0]?.evaluate((url) => {
          const nested = document.createElement('iframe')
          nested.src = '/index.html'
          document.body.append(nested)
          location.href = url
        }, canary.url)
        await expectHarmless(page, seen)
        // A Chromium with a window connects before it refuses where a script leads; it asks for nothing, and no script but ours is there.
        expect(canary.called.filter((what) => what !== 'a connection')).toEqual([])
        expect(page.context().pages()).toHaveLength(1)
        // The browser's own word for each refusal above.
        await expect.poll(() => shell.pageErrors.length).toBeGreaterThan(before)
      })
    }
  })

  test('is removed when it never ends: the page and the other frames continue', { tag: '@long' }, async ({
    shell,
    page,
    say,
  }) => {
    shell.forgivePageErrors()
    await page.addInitScript(() => {
      if (location.pathname !== '/diagram/index.html') return
      addEventListener('message', ({ data }) => {
        while (typeof data?.content === 'string' && data.content.includes('never ends'));
      })
    })
    await say(GOOD, fenced('mermaid', 'flowchart LR\n  A[It never ends]'), GOOD)
    await expect(page.getByText('Takes too long to draw. Trying again later.')).toBeVisible({ timeout: 60_000 })
    await expect(page.getByText('A[It never ends]')).toBeVisible()
    // Those before and after it were in the process that it kept busy. On a slow machine it is tried again before they are drawn.
    await expect(async () => {
      const counts = [page.getByRole('button', { name: 'Source' }), diagram(page), page.getByRole('button', { name: 'Try now' })]
      expect(await Promise.all(counts.map((one) => one.count()))).toEqual([2, 2, 1])
    }).toPass({ timeout: 120_000 })
    for (const frame of frameAt(page, '/diagram/index.html')) await expectDrawn(frame)
  })
})

test('a diagram shows its source on demand, and a preview names itself and returns the focus', { tag: '@long' }, async ({
  page,
  say,
}) => {
  await say(`${GOOD}\n\n${PAGE}`)
  const source = page.getByRole('button', { name: 'Source' })
  await expect(diagram(page)).toBeVisible()
  await expect(page.getByText('A[One] --> B[Two]')).toBeHidden()
  await source.press('Enter')
  await expect(source).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByText('A[One] --> B[Two]')).toBeVisible()
  await source.press('Enter')
  await expect(diagram(page)).toBeVisible()

  const open = page.getByRole('button', { name: 'Preview', exact: true })
  await open.press('Enter')
  const region = page.getByRole('region', { name: 'Preview of code written by the model' })
  await expect(region).toContainText('Preview of code written by the model')
  await expect(preview(page).contentFrame().getByRole('heading', { name: 'A page' })).toBeVisible()
  const close = region.getByRole('button', { name: 'Close' })
  await expect(close).toBeFocused()
  await expectNoFaults(page)
  await close.press('Enter')
  await expect(open).toBeFocused()
  await expect(page.getByText('<h1>A page</h1>')).toBeVisible()
})

test('a diagram follows the theme', { tag: '@long' }, async ({ page, say }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await say(GOOD)
  await expect(diagram(page)).toBeVisible()
  const fill = () =>
    diagram(page)
      .contentFrame()
      .locator('.node rect')
      .first()
      .evaluate((node) => getComputedStyle(node).fill)
  const light = await fill()
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(fill).not.toBe(light)
})

async function expectDrawn(frame: Frame): Promise<void> {
  await expect(frame.locator('#root > svg')).toBeAttached()
}

/** Things that a script inside of a frame would try to reach. */
async function tryAll(url: string): Promise<Record<string, unknown>> {
  const tried = async (what: () => unknown) => {
    try {
      await what()
      return 'reached'
    } catch {
      return 'refused'
    }
  }
  return {
    origin,
    bridge: 'parleyChannel' in window,
    parent: await tried(() => parent.document.body),
    bridgeOfParent: await tried(() => Reflect.get(parent, 'parleyChannel')),
    storage: await tried(() => sessionStorage.length),
    network: await tried(() => fetch(url, { mode: 'no-cors' })),
    own: await tried(() => fetch('/session', { method: 'POST', mode: 'no-cors' })),
    socket: await tried(
      () =>
        new Promise((resolve, reject) => {
          const socket = new WebSocket(`ws://${location.host}/channel`)
          socket.onopen = resolve
          socket.onerror = reject
        }),
    ),
    eval: await tried(() => new Function('return 1')()),
    script: await tried(() => {
      const script = document.createElement('script')
      script.textContent = 'window.ran = 1'
      document.body.append(script)
      if (!('ran' in window)) throw new Error('It did not run')
    }),
    worker: await tried(
      () =>
        new Promise((resolve, reject) => {
          const worker = new Worker(URL.createObjectURL(new Blob(['postMessage(1)'])))
          worker.onmessage = resolve
          worker.onerror = reject
        }),
    ),
    window: window.open(url) === null ? 'refused' : 'reached',
  }
}
