import { describe, expect, it } from 'vitest'
import { dictatedOrder, listedBeside, spellingsOf } from './dictated.ts'

const orderIn = (message: string, ...values: readonly string[]) => dictatedOrder(message, values.map(spellingsOf))

describe('values that a message has side by side', () => {
  it.each<[string, readonly string[], readonly number[]]>([
    ['S1 88, S2 92, S3 75.', ['S2', '92'], [0, 1]],
    ['Set 92 for S2 and 75 for S3', ['S2', '92'], [1, 0]],
    ['Luz Arce 8:00, Omar Gil 8:20', ['omar', '08:20'], [0, 1]],
    ['W-901 7,1; W-902 7,0; W-903 6,9', ['W-902', '7'], [0, 1]],
    ['Ram 412 kg 2300, Sunita 388 2300', ['Sunita', '388', '2300'], [0, 1, 2]],
    ['Y1は3号車、Y2は5号車。', ['Y2', '5'], [0, 1]],
    ['A4 4', ['A4', '4'], [0, 1]],
  ])('are found in “%s”: %j', (message, values, order) => {
    expect(orderIn(message, ...values)).toEqual(order)
  })

  it.each<[string, readonly string[]]>([
    ['S1 88, S2 92, S3 75.', ['S1', '92']],
    ['S1 88 S2 92', ['S1', '92']],
    ['S1 88; 92 is the best', ['88', '92']],
    ['S1 is done. 92 points', ['S1', '92']],
    ['S1\n92', ['S1', '92']],
    ['S12 92, S2 81', ['S1', '92']],
    ['S1 9 and more', ['S1', '92']],
    ['S1 7,1', ['S1', '7']],
    ['S1 1.7', ['S1', '7']],
    ['Ana to Blue and Ben to Red', ['ana', 'red']],
    [`S1 ${'and so on '.repeat(9)} 92`, ['S1', '92']],
    [`S1 92 ${'x'.repeat(20_000)}`, ['S1', '92']],
    ['', ['', '92']],
  ])('are not found in “%s”: %j', (message, values) => {
    expect(orderIn(message, ...values)).toBeUndefined()
  })
})

describe('an enumeration in a message', () => {
  it.each<[string, string, readonly string[]]>([
    ['Scan QK-1, QK-2 and QK-3.', 'QK-1', ['QK-2', 'QK-3']],
    ['Scan QK-1, QK-2, and QK-3.', 'qk-3', ['QK-1', 'QK-2']],
    ['Постав 21, 22 і 24 у стан', '22', ['21', '24']],
    ['7001 un 7004 un 7009 brigādei', '7004', ['7001', '7009']],
    ['Let Heulwen and Wern up', 'Wern', ['Heulwen']],
    ['41 and 42, 43 stays', '41', ['42']],
  ])('has values beside others: “%s” of %j', (message, value, others) => {
    expect(listedBeside(message, value)).toEqual(others)
  })

  it.each<[string, string]>([
    ['Close 41, not 42', '41'],
    ['Close 41 but 42 stays', '41'],
    ['Close 41. 42 stays', '41'],
    ['Close 41; 42 stays', '41'],
    ['Close 41, A2', '41'],
    ['Close 41 and 42. Wait: 41 is open', '41'],
    ['bread and milk', 'milk'],
    ['41 42', '41'],
    ['Close them', '41'],
    [`41, 42 ${'x'.repeat(20_000)}`, '41'],
    [Array.from({ length: 31 }, (_, n) => 100 + n).join(', '), '101'],
  ])('is none in “%s” of %j', (message, value) => {
    expect(listedBeside(message, value)).toEqual([])
  })
})
