// Markdown, tables and other texts that cost more than their length where nothing bounds it; and what is no time, or one that no calendar has.
const LENGTH = 16 * 1024
const filled = (line, length = LENGTH) =>
  Array.from({ length: 10_000 }, (_, n) => line(n))
    .join('')
    .slice(0, length)

export const COSTLY = [
  '> '.repeat(LENGTH / 2),
  filled((n) => `${'  '.repeat(n % 200)}- deeper\n`),
  filled((n) => `[^${n}] `, LENGTH / 2) + filled((n) => `\n\n[^${n}]: a footnote`, LENGTH / 2),
  `|${filled(() => 'a|', 5_000)}\n|${filled(() => '-|', 5_000)}\n|${filled(() => 'b|', 5_000)}`,
  `|a|\n|-|\n${filled(() => '|b|\n')}`,
  `|a|\n|${'-'.repeat(2_900)}x\n${filled(() => '|a\n')}`,
  filled((n) => `[${n}]: https://a.example/${n}\n\n[${n}]\n\n`),
  `www.a.example${filled(() => '&a;')}`,
  filled(() => '*a_ '),
  '['.repeat(LENGTH),
  filled(() => 'a.'),
  `\`\`\`regex\n${filled(() => '(a|')}\n\`\`\``,
  filled(() => '\u202e\u200b', 5_000),
]

export const TIMES = [
  '+275760-09-13T00:00:00.000Z',
  '+275760-09-13T00:00:00.001Z',
  '-271821-04-20T00:00:00.000Z',
  String(Number.MAX_SAFE_INTEGER),
  String(-Number.MAX_SAFE_INTEGER),
  'NaN',
  'Infinity',
  '0000-00-00',
  '',
]
