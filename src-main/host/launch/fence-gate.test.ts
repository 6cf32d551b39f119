import { expect, it } from 'vitest'
import { noGate } from './fence-gate.ts'

it.each([
  ['x64', 'needs Perl'],
  ['arm64', 'needs Perl'],
  ['riscv64', 'kind of processor (riscv64)'],
])('a way to named hosts that is missing on %s is explained by what is missing there', (arch, said) => {
  expect(noGate(arch).what).toContain(said)
})
