import { expect, it } from 'vitest'
import { membersOf } from './process-table.ts'

const row = (pid: number, parent: number, group: number) => ({ pid, parent, group, cpuMs: 0 })

it('a server is counted with its group and its descendants, those with a group of their own included', () => {
  const rows = [row(1, 0, 1), row(10, 1, 10), row(12, 11, 12), row(11, 10, 11), row(13, 1, 10), row(20, 1, 20), row(21, 20, 20)]
  expect(membersOf(10, rows).map(({ pid }) => pid)).toEqual([10, 13, 11, 12])
  expect(membersOf(99, rows)).toEqual([])
})
