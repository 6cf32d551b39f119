import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const flows = new URL('flows/', import.meta.url)

/** Code that made specs fail by chance, and the helper to use instead. */
const BY_HAND: readonly (readonly [not: RegExp, but: string])[] = [
  [/keyboard\.type\(/, 'typeInto of keyboard-steps.ts, which waits for the focus'],
  [/waitForTimeout\(/, 'an expectation of what comes'],
  [/timeout: ?(?:\d|\d_?\d{3}|[1-4]_?\d{3})\b|timeout: ?\d{2,3}\b/, 'no time limit below five seconds'],
  [/tmpdir\(\)/, 'the fixture tempFolder, a folder of one test'],
  [/\.listen\([1-9]|port: ?[1-9]/, 'port 0'],
  [
    /getByRole\('button', \{ name: '(?:Allow|Allow once|Submit|Send to model|Send to server|Visit it)'[^)]*\}\)\.click\(/,
    'press of press.ts, which moves the pointer',
  ],
]

/** Tells what of a spec is done by hand, with the helper for it. */
function byHand(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line, n) => BY_HAND.filter(([not]) => not.test(line)).map(([, but]) => `line ${n + 1}: ${but}`))
}

describe('a browser spec', () => {
  it.each(readdirSync(flows).filter((name) => name.endsWith('.spec.ts')))('%s leaves late events to a helper', (name) => {
    expect(byHand(readFileSync(new URL(name, flows), 'utf8'))).toEqual([])
  })

  it.each([
    ["await page.keyboard.type('x')", 1],
    ['await expect(a).toBeVisible({ timeout: 200 })', 1],
    ['await expect(a).toBeVisible({ timeout: 1000 })', 1],
    ['await expect(a).toBeVisible({ timeout: 20_000 })', 0],
    ["join(tmpdir(), 'x')", 1],
    ["await dialog.getByRole('button', { name: 'Submit' }).click()", 1],
    ["await press(dialog.getByRole('button', { name: 'Submit' }))", 0],
  ])('is noticed for %s', (line, times) => {
    expect(byHand(line)).toHaveLength(times)
  })
})
