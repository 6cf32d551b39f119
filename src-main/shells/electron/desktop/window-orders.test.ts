import { expect, it } from 'vitest'
import type { HostChannel, HostFrame } from '../../../../src-shared/contract/channel.ts'
import { emptySnapshot } from '../../../../src-shared/contract/events.ts'
import { WindowOrders } from './window-orders.ts'

const welcome: HostFrame = { t: 'welcome', contract: 1, epoch: 'e', seq: 0, snapshot: emptySnapshot }

function page() {
  const sent: HostFrame[] = []
  const channel: HostChannel = { send: (frame) => sent.push(frame), onFrame: () => () => {}, backlog: () => 0 }
  return { channel, sent }
}

it('orders for a page wait in order until it is ready, and are given once', () => {
  const orders = new WindowOrders()
  orders.give({ is: 'shortcut', id: 'find' })
  const first = page()
  const served = orders.over(first.channel)
  orders.give({ is: 'shortcut', id: 'palette' })
  expect(first.sent).toEqual([])
  served.send(welcome)
  orders.give({ is: 'shortcut', id: 'shortcuts' })
  expect(first.sent.slice(1)).toEqual(
    ['find', 'palette', 'shortcuts'].map((id) => ({ t: 'order', order: { is: 'shortcut', id } })),
  )
  orders.end()
  orders.give({ is: 'go', section: 'inbox' })
  const second = page()
  orders.over(second.channel).send(welcome)
  expect(second.sent.slice(1)).toEqual([{ t: 'order', order: { is: 'go', section: 'inbox' } }])
  expect(first.sent).toHaveLength(4)
})

it('orders for a page are kept up to what a person can have meant', () => {
  const orders = new WindowOrders()
  for (let n = 0; n < 50; n += 1) orders.give({ is: 'review', text: String(n) })
  const { channel, sent } = page()
  orders.over(channel).send(welcome)
  expect(sent).toHaveLength(21)
  expect(sent.at(-1)).toEqual({ t: 'order', order: { is: 'review', text: '49' } })
})
