// The page under load, in Chromium, on the built app with a real host: its longest task, beside that of an empty page in the same
// run. `node e2e/bench/page.mjs` after a build; words choose cases by name, BENCH_ROUNDS sets the rounds, BENCH_WHY=1
// tells what the longest tasks are made of.
import { bigResults, longConversation, manyServers, stream } from './page-cases.mjs'
import { median, ROUNDS, row, spread } from './report.mjs'
import { besideInspector } from './server-list.mjs'

const AIM = 50
const words = process.argv.slice(2)
const wanted = (name) => words.length === 0 || words.some((word) => name.includes(word))

/** Runs the rounds of one case, the empty page before each. */
async function measure({ name, open, round, rounds = ROUNDS }) {
  const results = new Map()
  const empty = []
  const opened = await open()
  try {
    for (let n = 0; n < rounds; n++) {
      empty.push(await opened.empty())
      for await (const { what, note, ...seen } of round(opened)) {
        results.set(what, [...(results.get(what) ?? []), { ...seen, note }])
      }
    }
  } finally {
    await opened.end()
  }
  const clock = (rounds) => rounds.map(({ longest }) => longest)
  const cpu = (rounds) => median(rounds.map(({ longestCpu = 0 }) => longestCpu))
  console.log(`\n${name}; the empty page's longest task ${told(clock(empty), cpu(empty))}`)
  for (const [what, rounds] of results) {
    const verdict = median(clock(rounds)) <= AIM ? 'met' : 'MISSED'
    row(
      `  ${what}`,
      `${median(clock(rounds)).toFixed(1)} ms`,
      `${told(clock(rounds), cpu(rounds))}; ${verdict}; ${rounds.at(-1).note}`,
    )
    const { why } = rounds.toSorted((a, b) => (b.longestCpu ?? 0) - (a.longestCpu ?? 0))[0]
    if (why) console.log(`    the longest is made of: ${why}`)
  }
}

const told = (times, cpu) => `${spread(times)} ms, of the processor ${cpu.toFixed(1)} ms`

for (const one of [longConversation, stream, bigResults, manyServers]) if (wanted(one.name)) await measure(one)
if (wanted('Inspector')) await besideInspector()
