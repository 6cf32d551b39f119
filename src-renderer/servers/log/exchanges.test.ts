import { describe, expect, it } from 'vitest'
import type { TrafficEntry } from '../../../src-shared/contract/servers.ts'
import { ALL_TRAFFIC, exchanges, methodsOf, passesTraffic, subjectOf } from './exchanges.ts'

let n = 0
function entry(direction: TrafficEntry['direction'], at: number, more: Partial<TrafficEntry> = {}): TrafficEntry {
  n += 1
  return { n, at, direction, text: '{}', bytes: 2, ...more }
}

describe('requests with their answers', () => {
  it('are paired by id in the other direction, with the time between', () => {
    const call = entry('sent', 100, { method: 'tools/call', id: '1' })
    const ask = entry('received', 110, { method: 'roots/list', id: '1' })
    const reply = entry('sent', 115, { id: '1' })
    const result = entry('received', 160, { id: '1' })
    expect(exchanges([call, ask, reply, result])).toEqual([
      { entry: call, answer: result, took: 60 },
      { entry: ask, answer: reply, took: 5 },
    ])
  })

  it('give an answer to the latest request when ids start again', () => {
    const old = entry('sent', 1, { method: 'ping', id: '1' })
    const fresh = entry('sent', 50, { method: 'initialize', id: '1' })
    const answer = entry('received', 60, { id: '1' })
    expect(exchanges([old, fresh, answer]).map((one) => one.took)).toEqual([undefined, 10])
  })

  it('stay alone when nothing answers, like notifications and output', () => {
    const stray = entry('received', 1, { id: '9' })
    const note = entry('received', 2, { method: 'notifications/message' })
    const output = entry('stderr', 3)
    expect(exchanges([stray, note, output]).map((one) => one.entry)).toEqual([stray, note, output])
  })
})

describe('the filter of the traffic', () => {
  const call = entry('sent', 1, { method: 'tools/call', id: '7', text: '{"name":"add"}' })
  const sum = entry('received', 9, { id: '7', text: '{"sum":5}' })
  const other = entry('received', 2, { method: 'roots/list', id: '17' })
  const all = exchanges([call, other, sum])
  const shown = (filter: Partial<typeof ALL_TRAFFIC>) =>
    all.filter((one) => passesTraffic(one, { ...ALL_TRAFFIC, ...filter })).map((one) => one.entry.method)

  it('goes by method, direction, exact id and the words of a message or its answer', () => {
    expect(methodsOf([call, other, sum])).toEqual(['roots/list', 'tools/call'])
    expect(shown({})).toEqual(['tools/call', 'roots/list'])
    expect(shown({ method: 'roots/list' })).toEqual(['roots/list'])
    expect(shown({ direction: 'sent' })).toEqual(['tools/call'])
    expect(shown({ search: '#7' })).toEqual(['tools/call'])
    expect(shown({ search: ' SUM' })).toEqual(['tools/call'])
    expect(shown({ search: 'nothing' })).toEqual([])
  })

  it('omits pings unless they are asked for', () => {
    const ping = { entry: entry('sent', 3, { method: 'ping', id: '8' }) }
    expect(passesTraffic(ping, ALL_TRAFFIC)).toBe(false)
    expect(passesTraffic(ping, { ...ALL_TRAFFIC, pings: true })).toBe(true)
    expect(passesTraffic(ping, { ...ALL_TRAFFIC, method: 'ping' })).toBe(true)
    const http = (status: number) => ({ entry: entry('http', 4, { text: `POST https://a.example/mcp (ping) → ${status}` }) })
    expect(passesTraffic(http(200), ALL_TRAFFIC)).toBe(false)
    expect(passesTraffic(http(200), { ...ALL_TRAFFIC, pings: true })).toBe(true)
    expect(passesTraffic(http(404), ALL_TRAFFIC)).toBe(true)
  })
})

describe('the subject of a request', () => {
  const about = (method: string, text: string) => subjectOf(entry('sent', 1, { method, text }))

  it('is its tool, prompt or resource, even where the message was cut', () => {
    expect(about('tools/call', '{"params":{"arguments":{"name":"x"},"name":"add"}}')).toBe('add')
    expect(about('resources/read', '{"params":{"uri":"file:///a"}}')).toBe('file:///a')
    expect(about('tools/call', '{"params":{"name":"add","arguments":{"text":"aaa…')).toBe('add')
    expect(about('tools/list', '{"params":{"name":"add"}}')).toBeUndefined()
    expect(about('tools/call', '{"params":{"name":7}}')).toBeUndefined()
    expect(about('constructor', '{}')).toBeUndefined()
  })
})
