import { expect, it } from 'vitest'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import type { RequestId } from '../shapes/json-rpc.ts'
import { DEFAULT_LIMITS } from '../shapes/limits.ts'
import { linkedTransports } from './linked-transport.ts'
import { OwnRequests } from './own-requests.ts'

it('a request that ends at its deadline says that the server had postponed its answer (V11-38)', async () => {
  const clock = new ManualClock()
  const [transport] = linkedTransports()
  const own = new OwnRequests({ transport, clock, limits: DEFAULT_LIMITS, remark: () => {} })
  const options = { signal: new AbortController().signal, timeout: 60_000, maxTime: 600_000 }
  let id: RequestId = 0
  const put = own.send('tools/call', {}, { ...options, onSent: (sent) => (id = sent) })
  const other = own.send('tools/call', {}, options)
  own.waiting(id, 3_600_000)
  clock.advance(60_000)
  await expect(put).rejects.toThrow('within 60 s. It had asked to wait another 3540 s.')
  await expect(other).rejects.toThrow(/within 60 s\.$/)
})
