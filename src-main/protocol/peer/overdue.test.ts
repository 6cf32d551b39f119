import { describe, expect, it } from 'vitest'
import { connectScripted, type ScriptedOptions, settled } from '../../../e2e/servers/linked/connect-scripted.ts'
import { until } from '../../../e2e/support/until.ts'
import type { OverdueNotice } from './overdue-notice.ts'

const IDLE = 1000
const MAX = 3000

/** A call that its server does not answer, made by somebody who has patience. */
async function patientCall(options: ScriptedOptions = {}) {
  const session = await connectScripted({
    capabilities: { tools: {} },
    requestTimeout: IDLE,
    maxRequestTime: MAX,
    ...options,
    replies: { 'tools/call': () => undefined },
  })
  const notices: (OverdueNotice | undefined)[] = []
  let heard = 0
  let ended: unknown
  const controller = new AbortController()
  const call = {
    signal: controller.signal,
    onProgress: () => heard++,
    onOverdue: (notice?: OverdueNotice) => notices.push(notice),
  }
  session.client.callTool('a', {}, call).then(
    (result) => (ended = result),
    (error: unknown) => (ended = error),
  )
  const [asked] = await session.server.waitFor('tools/call')
  return {
    ...session,
    controller,
    notices,
    get ended() {
      return ended
    },
    get notice() {
      const last = notices.at(-1)
      if (!last) throw new Error('There is no notice.')
      return last
    },
    cancelled: () => session.server.got('notifications/cancelled').map(({ params }) => params.requestId),
    async report(progress: number) {
      const before = heard
      session.server.notify('notifications/progress', { progressToken: asked?.params._meta.progressToken, progress })
      await until(() => heard > before, 'the progress')
    },
    answer() {
      session.server.send({ jsonrpc: '2.0', id: asked?.id, result: { content: [{ type: 'text', text: 'late' }] } })
    },
    id: asked?.id,
  }
}

describe('a call past its deadline whose caller may wait', () => {
  it('is reported instead of given up, with the time passed and its end (LIFE-29)', async () => {
    await using call = await patientCall()
    call.clock.advance(IDLE - 1)
    expect(call.notices).toEqual([])
    call.clock.advance(1)
    expect(call.notices).toMatchObject([{ why: 'idle', after: IDLE, endsAt: call.clock.now() + IDLE }])
    await settled()
    expect(call.ended).toBeUndefined()
    expect(call.cancelled()).toEqual([])
  })

  it('ends when nobody answers for one more idle time (LIFE-29, TOOL-09)', async () => {
    await using call = await patientCall()
    call.clock.advance(2 * IDLE)
    await until(() => call.ended, 'the end')
    expect(call.ended).toMatchObject({ code: 'timeout', message: 'The server did not answer tools/call within 2 s.' })
    expect(await call.server.waitFor('notifications/cancelled')).toMatchObject([{ params: { requestId: call.id } }])
  })

  it('gets the same time again each time somebody chooses to wait (LIFE-30)', async () => {
    await using call = await patientCall({ maxRequestTime: 100 * IDLE })
    for (let round = 1; round <= 5; round++) {
      call.clock.advance(IDLE)
      expect(call.notice).toMatchObject({ why: 'idle', after: IDLE + (round - 1) * 1.5 * IDLE })
      call.clock.advance(IDLE / 2)
      call.notice.keepWaiting()
      expect(call.notices.at(-1)).toBeUndefined()
    }
    expect(call.cancelled()).toEqual([])
    call.answer()
    await until(() => call.ended, 'the answer')
    expect(call.ended).toMatchObject({ content: [{ text: 'late' }] })
  })

  it('accepts a late answer (MSG-21)', async () => {
    await using call = await patientCall()
    call.clock.advance(IDLE + 1)
    call.answer()
    await until(() => call.ended, 'the answer')
    expect(call.ended).toMatchObject({ content: [{ text: 'late' }] })
    expect(call.cancelled()).toEqual([])
    call.clock.advance(10 * MAX)
    expect(call.notices).toHaveLength(1)
  })

  it('is no longer overdue when it reports progress (LIFE-31)', async () => {
    await using call = await patientCall()
    call.clock.advance(IDLE + 500)
    await call.report(1)
    expect(call.notices).toEqual([expect.objectContaining({ why: 'idle' }), undefined])
    call.clock.advance(IDLE - 1)
    expect(call.notices).toHaveLength(2)
    call.clock.advance(1)
    expect(call.notice).toMatchObject({ why: 'idle', after: IDLE })
  })

  it('ends some time after its maximum whatever it reports, unless somebody chooses to wait (LIFE-32)', async () => {
    await using call = await patientCall()
    for (let at = 1; at <= 3; at++) {
      call.clock.advance(900)
      await call.report(at)
    }
    call.clock.advance(300)
    expect(call.notices).toMatchObject([{ why: 'maximum', after: MAX, endsAt: call.clock.now() + IDLE }])
    call.clock.advance(900)
    await call.report(4)
    expect(call.notices).toHaveLength(1)
    expect(call.ended).toBeUndefined()
    call.clock.advance(100)
    await until(() => call.ended, 'the end')
    expect(call.ended).toMatchObject({ code: 'timeout' })
  })

  it('gets its maximum again when somebody chooses to wait past it', async () => {
    await using call = await patientCall({ requestTimeout: MAX })
    call.clock.advance(MAX / 2)
    await call.report(1)
    call.clock.advance(MAX / 2)
    expect(call.notice.why).toBe('maximum')
    call.notice.keepWaiting()
    call.clock.advance(MAX / 2)
    await call.report(2)
    expect(call.notices.at(-1)).toBeUndefined()
    call.clock.advance(MAX / 2)
    expect(call.notice).toMatchObject({ why: 'maximum', after: 2 * MAX })
  })

  it('is cancelled on the wire when its caller stops it (CANC-01, CANC-03)', async () => {
    await using call = await patientCall()
    call.clock.advance(IDLE)
    call.controller.abort(new DOMException('stopped', 'AbortError'))
    await until(() => call.ended, 'the end')
    expect(call.ended).toMatchObject({ name: 'AbortError' })
    expect(await call.server.waitFor('notifications/cancelled')).toMatchObject([{ params: { requestId: call.id } }])
  })

  it('is not affected by an outdated notice', async () => {
    await using call = await patientCall()
    call.clock.advance(IDLE)
    const old = call.notice
    await call.report(1)
    call.clock.advance(IDLE)
    old.keepWaiting()
    expect(call.notice).toMatchObject({ why: 'idle' })
    call.clock.advance(IDLE)
    await until(() => call.ended, 'the end')
  })

  it('does not end while that server asks the person something (TRAP-21)', async () => {
    let answer: () => void = () => {}
    const list = () => new Promise<{ roots: [] }>((resolve) => (answer = () => resolve({ roots: [] })))
    await using call = await patientCall({ features: { roots: { list } } })
    call.clock.advance(IDLE + 400)
    call.server.send({ jsonrpc: '2.0', id: 1, method: 'roots/list' })
    await until(() => call.notices.length === 2, 'the notice that time stands still')
    expect(call.notice.endsAt).toBeUndefined()
    call.clock.advance(100 * MAX)
    answer()
    await call.server.answerTo(1)
    await until(() => call.notice.endsAt !== undefined, 'time to go on')
    expect(call.notice.endsAt).toBe(call.clock.now() + 600)
    call.clock.advance(600)
    await until(() => call.ended, 'the end')
  })
})
