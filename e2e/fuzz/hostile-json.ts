import type { Random } from './random.ts'

/** Values that a check may forget, as JSON text, because some cannot be had by `stringify`. */
const ODD = [
  'null',
  'true',
  'false',
  '0',
  '-0',
  '-1',
  '1.5',
  '1e308',
  '1e999',
  '9007199254740993',
  '""',
  '"7"',
  '" "',
  '"\\u0000"',
  '"\\ud800"',
  '"__proto__"',
  '"constructor"',
  '"💥é"',
  '[]',
  '{}',
  '[null]',
  '[[]]',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"toString":1,"hasOwnProperty":null,"then":"x"}',
  '{"length":-1}',
  '{"jsonrpc":"2.0","id":1,"result":{}}',
]

/** Never seen in a message that the client may keep: pollution would show on every object. */
export function polluted(): boolean {
  return 'polluted' in {}
}

function odd(random: Random): string {
  if (random.chance(0.03)) return `"${'x'.repeat(random.below(40_000))}"`
  if (random.chance(0.03)) return deep(random.pick([10, 60, 70, 500, 5000]), random)
  if (random.chance(0.02)) return `[${Array.from({ length: random.below(400) }, () => '{}').join(',')}]`
  return random.pick(ODD)
}

function deep(levels: number, random: Random): string {
  const [open, close] = random.pick([
    ['[', ']'],
    ['{"a":', '}'],
  ] as const)
  return `${open.repeat(levels)}1${close.repeat(levels)}`
}

/** The text of a message with some of its values replaced, removed, doubled or renamed. */
export function mutated(text: string, random: Random): string {
  let result = text
  for (let times = 1 + random.below(3); times > 0; times--) result = mutatedOnce(result, random)
  return result
}

function mutatedOnce(text: string, random: Random): string {
  const member = random.pick([
    ...text.matchAll(/"([^"\\]*)":("(?:[^"\\]|\\.)*"|-?\d[\d.e+-]*|true|false|null|\{\}|\[\])/g),
    undefined,
  ])
  if (!member || random.chance(0.2)) return torn(text, random)
  const [whole, name = '', value = ''] = member
  const before = text.slice(0, member.index)
  const after = text.slice(member.index + whole.length)
  switch (random.below(6)) {
    case 0:
      return `${before.replace(/,$/, '')}${before.endsWith(',') ? '' : ''}${after.replace(/^,/, before.endsWith(',') ? ',' : '')}`
    case 1:
      return `${before}"${name}":${value},"${name}":${odd(random)}${after}`
    case 2:
      return `${before}"${random.pick(['__proto__', 'constructor', 'toString', `${name} `, name.toUpperCase()])}":${value}${after}`
    case 3:
      return `${before}"${name}":${value},"${random.pick(['_meta', 'error', 'result', 'method', 'id', 'params', 'extra'])}":${odd(random)}${after}`
    default:
      return `${before}"${name}":${odd(random)}${after}`
  }
}

/** Damage below the level of JSON. */
function torn(text: string, random: Random): string {
  const at = random.below(text.length + 1)
  switch (random.below(7)) {
    case 0:
      return text.slice(0, at)
    case 1:
      return text.slice(at)
    case 2:
      return `${text.slice(0, at)}${random.pick(['{', '}', '"', '\\', ',', ':', '\u0000', '\r', '\t', '\ufeff', '[', ']'])}${text.slice(at)}`
    case 3:
      return `[${text}]`
    case 4:
      return `[${text},${text}]`
    case 5:
      return `${text}${text}`
    default:
      return odd(random)
  }
}

/** Bytes in pieces that begin and end anywhere, some of the bytes damaged. */
export function pieces(bytes: Buffer, random: Random, damage = 0): Buffer[] {
  const given = Buffer.from(bytes)
  while (given.length > 0 && random.chance(damage)) given[random.below(given.length)] = random.below(256)
  const cut: Buffer[] = []
  const most = random.pick([1, 3, 17, 200, 5000, 1 << 20])
  // A long text in single bytes would take all the time there is.
  const least = Math.max(1, Math.floor(given.length / 500))
  for (let at = 0; at < given.length; ) {
    const size = Math.max(least, 1 + random.below(most))
    cut.push(given.subarray(at, at + size))
    at += size
  }
  return cut
}
