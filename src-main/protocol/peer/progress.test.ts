import { describe, expect, it } from 'vitest'
import { connectScripted, settled } from '../../../e2e/servers/linked/connect-scripted.ts'
import type { Progress } from '../../../src-shared/mcp/primitives.ts'
import type { ClientFeatures } from './client-features.ts'

const SILENT = { capabilities: { tools: {} }, replies: { 'tools/call': () => undefined } }

async function callWithProgress(speaks = '2025-11-25') {
  const session = await connectScripted({ ...SILENT, speaks })
  const heard: Progress[] = []
  const call = session.client.callTool('a', {}, { ...session.options, onProgress: (progress) => heard.push(progress) })
  const [asked] = await session.server.waitFor('tools/call')
  const progressToken: unknown = asked?.params._meta.progressToken
  const report = (params: object) => session.server.notify('notifications/progress', { progressToken, ...params })
  const finish = () => {
    session.server.send({ jsonrpc: '2.0', id: asked?.id, result: { content: [] } })
    return call
  }
  return { ...session, heard, asked, progressToken, report, finish }
}

describe('progress', () => {
  it('is requested with an integer token that is unique among open requests (PROG-01, PROG-02, PROG-03)', async () => {
    await using session = await connectScripted(SILENT)
    const waiting = Array.from({ length: 50 }, (_, at) =>
      session.client.callTool(String(at), {}, { ...session.options, onProgress: () => {} }).catch(() => {}),
    )
    const asked = await session.server.waitFor('tools/call', 50)
    const tokens = asked.map(({ params }) => params._meta.progressToken)
    expect(tokens.every((token) => Number.isInteger(token))).toBe(true)
    expect(new Set(tokens).size).toBe(50)
    await session.client.close()
    await Promise.all(waiting)
  })

  it('is not requested when nobody listens, and _meta has nothing else (SCHEMA-08)', async () => {
    await using session = await connectScripted({ ...SILENT, replies: { 'tools/call': () => ({ content: [] }) } })
    await session.client.callTool('a', {}, session.options)
    await session.client.callTool('b', {}, { ...session.options, onProgress: () => {} })
    const [quiet, loud] = session.server.got('tools/call')
    expect(quiet?.params).toEqual({ name: 'a', arguments: {} })
    expect(Object.keys(loud?.params._meta)).toEqual(['progressToken'])
  })

  it('is never waited for (PROG-04)', async () => {
    await using call = await callWithProgress()
    expect((await call.finish()).content).toEqual([])
    expect(call.heard).toEqual([])
  })

  it('is delivered before the response that came after it, in order', async () => {
    await using call = await callWithProgress()
    const order: string[] = []
    for (let at = 1; at <= 100; at++) call.report({ progress: at })
    await call.finish().then(() => order.push(`done after ${call.heard.length}`))
    expect(order).toEqual(['done after 100'])
    expect(call.heard.map(({ progress }) => progress)).toEqual(Array.from({ length: 100 }, (_, at) => at + 1))
  })

  it('that does not rise is dropped (PROG-05, TRAP-61)', async () => {
    await using call = await callWithProgress()
    for (const progress of [1, 1, 0.5, 2, Number.NaN, '3', null, 3]) call.report({ progress })
    await call.finish()
    expect(call.heard.map(({ progress }) => progress)).toEqual([1, 2, 3])
  })

  it('may be fractional, without a total, or beyond it (PROG-06, PROG-14)', async () => {
    await using call = await callWithProgress()
    call.report({ progress: 0.2, total: 1 })
    call.report({ progress: 0.7 })
    call.report({ progress: 3, total: 2 })
    call.report({ progress: 4, total: 'many' })
    await call.finish()
    expect(call.heard).toEqual([{ progress: 0.2, total: 1 }, { progress: 0.7 }, { progress: 3, total: 2 }, { progress: 4 }])
  })

  it('has a message since 2025-03-26 (PROG-07)', async () => {
    for (const [speaks, expected] of [
      ['2024-11-05', { progress: 1 }],
      ['2025-03-26', { progress: 1, message: 'half way' }],
    ] as const) {
      await using call = await callWithProgress(speaks)
      call.report({ progress: 1, message: 'half way' })
      await call.finish()
      expect(call.heard).toEqual([expected])
    }
  })

  it('for an unknown or finished token is dropped (PROG-09, PROG-10)', async () => {
    await using call = await callWithProgress()
    call.server.notify('notifications/progress', { progressToken: 9999, progress: 1 })
    call.server.notify('notifications/progress', { progress: 1 })
    await call.finish()
    call.report({ progress: 5 })
    await settled()
    expect(call.heard).toEqual([])
    expect(call.remarks).toHaveLength(3)
  })

  it('is matched by token in value and type, not by the request’s id (PROG-14, TRAP-09)', async () => {
    await using call = await callWithProgress()
    expect(call.progressToken).not.toBe(call.asked?.id)
    call.server.notify('notifications/progress', { progressToken: String(call.progressToken), progress: 1 })
    call.server.notify('notifications/progress', { progressToken: call.asked?.id, progress: 1 })
    await call.finish()
    expect(call.heard).toEqual([])
  })

  it('survives a listener that throws', async () => {
    await using session = await connectScripted(SILENT)
    const onProgress = () => {
      throw new Error('broken listener')
    }
    const call = session.client.callTool('a', {}, { ...session.options, onProgress })
    const [asked] = await session.server.waitFor('tools/call')
    session.server.notify('notifications/progress', { progressToken: asked?.params._meta.progressToken, progress: 1 })
    session.server.send({ jsonrpc: '2.0', id: asked?.id, result: { content: [] } })
    expect((await call).content).toEqual([])
  })

  it('is never dropped in a flood (PROG-11)', async () => {
    await using call = await callWithProgress()
    for (let at = 1; at <= 5000; at++) call.report({ progress: at })
    await call.finish()
    expect(call.heard).toHaveLength(5000)
  })
})

describe('progress of our own', () => {
  it('is never sent, so that no person has to interpret it (PROG-08)', async () => {
    const features: ClientFeatures = { roots: { list: async () => ({ roots: [] }) } }
    await using session = await connectScripted({ features })
    const answer = await session.server.ask('roots/list', { _meta: { progressToken: 'mine' } }, 1)
    expect(answer.result).toEqual({ roots: [] })
    await settled()
    expect(session.server.got('notifications/progress')).toEqual([])
  })
})
