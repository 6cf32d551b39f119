// A task as one gives it to a model, done with a real server and a model that says what is written here: for the pictures.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startModelApi } from '../support/model-api.ts'

const FILES = {
  'src/cart.ts': `import { discounted } from './discount.ts'
import { withTax } from './tax.ts'

export interface Line {
  readonly price: number
  readonly count: number
}

export function total(lines: readonly Line[], percent: number): number {
  const sum = lines.reduce((all, { price, count }) => all + Math.round(withTax(discounted(price, percent))) * count, 0)
  return sum
}
`,
  'src/discount.ts': 'export const discounted = (price: number, percent: number) => price * (1 - percent / 100)\n',
  'src/tax.ts': 'export const withTax = (price: number) => price * 1.19\n',
  'test/cart.test.ts': "it('adds up', () => expect(total([{ price: 999, count: 3 }], 15)).toBe(3031))\n",
}
const BEFORE =
  '  const sum = lines.reduce((all, { price, count }) => all + Math.round(withTax(discounted(price, percent))) * count, 0)\n  return sum'
const AFTER =
  '  const net = lines.reduce((all, { price, count }) => all + discounted(price, percent) * count, 0)\n  return Math.round(withTax(net))'

const ANSWER = `Every item was rounded **before** it was multiplied, so up to half a cent of each was lost. \`total\` now adds up first and rounds once, at the end:

| order | before | now | expected |
| --- | ---: | ---: | ---: |
| 3 × 9.99, 15 % off | 30.30 | 30.31 | 30.31 |
| 12 × 0.49, 10 % off | 6.24 | 6.30 | 6.30 |
| 1 × 24.00, no discount | 28.56 | 28.56 | 28.56 |

Where there was no discount, nothing could be lost: those prices with tax are whole cents. The test in \`cart.test.ts\` expects 30.31 already; \`discount.ts\` and \`tax.ts\` stay as they are.`

/** The model's replies, round by round. */
function sayings(folder) {
  const call = (name, args) => ({ name, arguments: JSON.stringify(args) })
  const read = (path) => call('read_text_file', { path: join(folder, path) })
  return [
    { text: 'I will look at how the total comes about.', calls: [call('directory_tree', { path: folder })] },
    { calls: Object.keys(FILES).map(read) },
    {
      text: 'The rounding in `cart.ts` is too early. I will move it.',
      calls: [call('edit_file', { path: join(folder, 'src/cart.ts'), edits: [{ oldText: BEFORE, newText: AFTER }] })],
    },
    { text: ANSWER },
  ]
}

export const TASK = 'Orders with a discount come out some cents too low. Find out why, and fix it.'

/** The files to work on. */
export function writeShop(folder) {
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

export const startTaskModel = (folder) =>
  startModelApi(({ body }) => {
    const rounds = body.messages.filter(({ role }) => role === 'assistant').length
    const saying = sayings(folder)[rounds] ?? { text: 'Discounts and rounding' }
    const named = (name) => body.tools?.find((tool) => tool.name.endsWith(name))?.name ?? name
    const calls = saying.calls?.map((one) => ({ ...one, name: named(one.name) }))
    return { ...saying, ...(calls && { calls }), prompt: { plain: 400, read: 4200 + 900 * rounds, written: 700 } }
  })
