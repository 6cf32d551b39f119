import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { memoryStorage } from '../../../e2e/support/storage/memory-storage.ts'
import type { RecordStore } from '../../storage/base/storage.ts'
import { KeptRecords } from './kept-records.ts'

const value = (json: string) => ({ json })

/** Records whose writes wait until they are let go, in the order in which they came. */
function heldRecords() {
  const real = memoryStorage().records
  const waiting: (() => void)[] = []
  const held = () => new Promise<void>((resolve) => waiting.push(resolve))
  const store: RecordStore = {
    ...real,
    all: (collection) => real.all(collection),
    put: async (...args) => {
      await held()
      await real.put(...args)
    },
    remove: async (...args) => {
      await held()
      await real.remove(...args)
    },
  }
  const letGo = async () => {
    for (let turns = 0; turns < 20; turns++) {
      waiting.shift()?.()
      await setImmediate()
    }
  }
  return { real, store, letGo }
}

it('records are visible once they are on disk, and after a restart', async () => {
  const { records } = memoryStorage()
  const kept = new KeptRecords(records, 'tool-definition')
  await kept.put('a', value('1'))
  await kept.put('b', value('2'))
  await kept.change('a', () => value('3'))
  await kept.remove('b')
  const again = new KeptRecords(records, 'tool-definition')
  await again.load()
  for (const one of [kept, again])
    expect([one.size, one.get('a'), one.has('b'), one.keys()]).toEqual([1, value('3'), false, ['a']])
})

it('removing a record wins over an earlier change or write', async () => {
  const { real, store, letGo } = heldRecords()
  const kept = new KeptRecords(store, 'tool-definition')
  const began = kept.put('a', value('1'))
  await letGo()
  await began
  const changed = kept.change('a', () => value('2'))
  const written = kept.put('a', value('3'))
  const removed = kept.remove('a')
  expect(kept.has('a')).toBe(false)
  const late = kept.change('a', () => value('4'))
  await letGo()
  await Promise.all([changed, written, removed, late])
  expect([kept.has('a'), await real.all('tool-definition')]).toEqual([false, new Map()])
})

it('a record that the disk does not remove stays', async () => {
  const { records } = memoryStorage()
  const refusing = { ...records, all: records.all, put: records.put, remove: async () => Promise.reject(new Error('full')) }
  let changes = 0
  const kept = new KeptRecords(refusing, 'tool-definition', { onChange: () => (changes += 1) })
  await kept.put('a', value('1'))
  await expect(kept.remove('a')).rejects.toThrow('full')
  expect([kept.get('a'), changes]).toEqual([value('1'), 3])
})

it('a removed record comes back as it was last, if so many others were not removed since', async () => {
  const { records } = memoryStorage()
  const kept = new KeptRecords(records, 'tool-definition', { canRestore: true })
  await kept.put('a', value('1'))
  await Promise.all([kept.put('a', value('2')), kept.remove('a')])
  expect([await kept.restore('a'), await kept.restore('a'), kept.get('a')]).toEqual([true, false, value('2')])
  await kept.remove('a')
  for (let n = 0; n < 24; n++) {
    await kept.put(`b${n}`, value('1'))
    await kept.remove(`b${n}`)
  }
  expect([await kept.restore('a'), await kept.restore('b0'), await records.all('tool-definition')]).toEqual([
    false,
    true,
    new Map([['b0', value('1')]]),
  ])
})

it('a record that is not durable stays in memory, and an invalid one leaves the disk', async () => {
  const { records } = memoryStorage()
  const kept = new KeptRecords(records, 'tool-definition', { isDurable: ({ json }) => json !== 'task' })
  await kept.put('a', value('task'))
  await kept.put('b', value('old'))
  expect([kept.has('a'), [...(await records.all('tool-definition')).keys()]]).toEqual([true, ['b']])
  const again = new KeptRecords(records, 'tool-definition')
  await again.load(({ json }) => (json === 'old' ? undefined : value(json)))
  expect([again.size, await records.all('tool-definition')]).toEqual([0, new Map()])
})

it('two updates at once both count, and a first change creates its record', async () => {
  const { records } = memoryStorage()
  const kept = new KeptRecords(records, 'tool-definition')
  const add = (more: string) => kept.update('a', (now) => value(`${now?.json ?? ''}${more}`))
  await Promise.all([add('1'), add('2')])
  const changed = kept.change('b', ({ json }) => value(`${json}3`), value('0'))
  expect(kept.get('b')).toEqual(value('03'))
  await changed
  expect(await records.all('tool-definition')).toEqual(
    new Map([
      ['a', value('12')],
      ['b', value('03')],
    ]),
  )
})
