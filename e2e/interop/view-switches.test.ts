import { createSocket } from 'node:dgram'
import { createServer } from 'node:http'
import type { Page } from 'playwright'
import { expect, it, onTestFinished } from 'vitest'
import { VIEW_SWITCHES } from '../../src-main/shells/electron/view-switches.ts'
import { launchChromium } from '../shells/chromium.ts'
import { until } from '../support/until.ts'

const ATTACKS = (port: number) => `<input id="keys"><script>
  const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${port}' }] })
  peer.onicegatheringstatechange = () => parent.postMessage(peer.iceGatheringState, '*')
  peer.createDataChannel('x')
  peer.createOffer().then((offer) => peer.setLocalDescription(offer))
  setInterval(() => document.getElementById('keys').focus(), 10)
</script>`
const PAGE = `<textarea></textarea><script>
  addEventListener('message', ({ data }) => { document.title = data })
</script><iframe sandbox="allow-scripts" src="/view"></iframe>`
const SIBLINGS = `<script>
  addEventListener('message', () => { document.title = Number(document.title) + 1 })
</script><iframe sandbox="allow-scripts" src="/view"></iframe><iframe sandbox="allow-scripts" src="/view"></iframe>`

/** A page of the browser with these switches, on a server of these documents. */
async function shown(switches: Readonly<Record<string, string>>, documents: Readonly<Record<string, string>>): Promise<Page> {
  const server = createServer(({ url = '' }, response) => {
    const csp = "default-src 'none'; script-src 'unsafe-inline'; sandbox allow-scripts"
    if (url !== '/') response.setHeader('content-security-policy', csp)
    response.setHeader('content-type', 'text/html').end(documents[url])
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const browser = await launchChromium(switches)
  onTestFinished(async () => {
    await browser.close()
    server.close()
  })
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${(server.address() as { port: number }).port}/`)
  return page
}

/** The packets that a view sent past its policy, and what was typed beside it, in the browser with these switches. */
async function attacked(switches: Readonly<Record<string, string>>): Promise<{ packets: number; typed: string }> {
  let packets = 0
  const udp = createSocket('udp4').on('message', () => {
    packets += 1
  })
  await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    udp.close()
  })
  const page = await shown(switches, { '/': PAGE, '/view': ATTACKS(udp.address().port) })
  await until(async () => packets > 0 || (await page.title()) === 'complete', 'a packet, or the end of the search for ways out')
  await page.click('textarea')
  await page.keyboard.type('secret', { delay: 50 })
  return { packets, typed: await page.inputValue('textarea') }
}

it('a view sends packets and takes keys in Chromium without its switches, and neither with them (APP-30, APP-31)', async () => {
  const open = await attacked({})
  expect(open.packets).toBeGreaterThan(0)
  expect(open.typed).not.toBe('secret')
  expect(await attacked(VIEW_SWITCHES)).toEqual({ packets: 0, typed: 'secret' })
})

it('a view runs in the process of another in Chromium without its switches, and in one of its own with them (APP-27)', async () => {
  const processes = async (switches: Readonly<Record<string, string>>) => {
    const page = await shown(switches, { '/': SIBLINGS, '/view': `<script>parent.postMessage('up', '*')</script>` })
    await until(async () => (await page.title()) === '2', 'both views')
    const session = await page.context().browser()?.newBrowserCDPSession()
    const { processInfo = [] } = (await session?.send('SystemInfo.getProcessInfo')) ?? {}
    return processInfo.filter(({ type }) => type === 'renderer').length
  }
  const shared = await processes({})
  expect(await processes(VIEW_SWITCHES)).toBe(shared + 1)
})
