/** Code points of the first letters of a variant: A, a, 0, Α (Alpha), α (alpha). */
const BLOCKS: Readonly<Record<string, readonly (number | undefined)[]>> = {
  bold: [0x1d400, 0x1d41a, 0x1d7ce, 0x1d6a8, 0x1d6c2],
  italic: [0x1d434, 0x1d44e, undefined, 0x1d6e2, 0x1d6fc],
  'bold-italic': [0x1d468, 0x1d482, undefined, 0x1d71c, 0x1d736],
  script: [0x1d49c, 0x1d4b6],
  'bold-script': [0x1d4d0, 0x1d4ea],
  fraktur: [0x1d504, 0x1d51e],
  'double-struck': [0x1d538, 0x1d552, 0x1d7d8],
  'bold-fraktur': [0x1d56c, 0x1d586],
  'sans-serif': [0x1d5a0, 0x1d5ba, 0x1d7e2],
  'bold-sans-serif': [0x1d5d4, 0x1d5ee, 0x1d7ec],
  'sans-serif-italic': [0x1d608, 0x1d622],
  'sans-serif-bold-italic': [0x1d63c, 0x1d656],
  monospace: [0x1d670, 0x1d68a, 0x1d7f6],
}
const FIRST = [0x41, 0x61, 0x30, 0x391, 0x3b1]
const COUNT = [26, 26, 10, 25, 25]
/** Letters that Unicode encodes outside of the blocks above. */
const EARLIER: Readonly<Record<string, string>> = {
  italich: 'ℎ',
  ...pairs('script', 'BEFHILMRego', 'ℬℰℱℋℐℒℳℛℯℊℴ'),
  ...pairs('fraktur', 'CHIRZ', 'ℭℌℑℜℨ'),
  ...pairs('double-struck', 'CHNPQRZ', 'ℂℍℕℙℚℝℤ'),
}

/**
 * Writes a text in the letters of a MathML variant (bold, script, …), since browsers derive the variant from the letters alone.
 */
export function mathLetters(text: string, variant: string): string {
  const block = Object.hasOwn(BLOCKS, variant) ? BLOCKS[variant] : undefined
  if (!block) return text
  return [...text].map((letter) => EARLIER[variant + letter] ?? letterOf(letter, block)).join('')
}

function letterOf(letter: string, block: readonly (number | undefined)[]): string {
  const code = letter.codePointAt(0) ?? 0
  const kind = FIRST.findIndex((first, at) => code >= first && code < first + (COUNT[at] ?? 0))
  const start = block[kind]
  return start === undefined ? letter : String.fromCodePoint(start + code - (FIRST[kind] ?? 0))
}

function pairs(variant: string, plain: string, letters: string): Readonly<Record<string, string>> {
  const made = [...letters]
  return Object.fromEntries([...plain].map((letter, at) => [variant + letter, made[at] ?? letter]))
}
