import { createSocket } from 'node:dgram'
import { createServer } from 'node:http'
import { chromium } from 'playwright'
import { expect, it, onTestFinished } from 'vitest'
import { VIEW_SWITCHES } from '../../src-main/shells/electron/view-switches.ts'
import { chromiumPath } from '../shells/chromium.ts'
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

/** The packets that a view sent past its policy, and what was typed beside it, in the browser with these switches. */
async function attacked(switches: Readonly<Record<string, string>>): Promise<{ packets: number; typed: string }> {
  let packets = 0
  const udp = createSocket('udp4').on('message', () => {
    packets += 1
  })
  await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve))
  const server = createServer(({ url }, response) => {
    const csp = "default-src 'none'; script-src 'unsafe-inline'; sandbox allow-scripts"
    if (url === '/view') response.setHeader('content-security-policy', csp)
    response.setHeader('content-type', 'text/html').end(url === '/view' ? ATTACKS(udp.address().port) : PAGE)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const args = Object.entries(switches).map(([name, value]) => `--${name}=${value}`)
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--site-per-process', ...args] })
  onTestFinished(async () => {
    await browser.close()
    server.close()
    udp.close()
  })
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${(server.address() as { port: number }).port}/`)
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
