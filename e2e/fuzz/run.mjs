// The long form of the fuzzer: npm run fuzz -- [--messages 1000000] [--seed N] [--round N]
// Prints the seed; a round that breaks an invariant is played again by --seed and --round.
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { playRound, roundSeed } from './round.ts'

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    round: { type: 'string' },
  },
})
const seed = Number(values.seed)
const wanted = Number(values.messages)

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')
const heapMiB = () => {
  collect()
  return process.memoryUsage().heapUsed / 2 ** 20
}
/** Rounds share nothing but the caches of the program: what stays above that for good is a leak. */
const MOST_GROWTH_MIB = 64
const MOST_FAILURES = 20

let current = 0
const failures = []
const fail = (round, kind, objections) => {
  failures.push(round)
  console.error(`round ${round} (${kind}), play again with --seed ${seed} --round ${round}`)
  for (const objection of objections) console.error(`  ${objection}`)
}
process.on('unhandledRejection', (reason) => fail(current, 'unhandled rejection', [reason?.stack ?? String(reason)]))
process.on('uncaughtException', (error) => fail(current, 'uncaught exception', [error?.stack ?? String(error)]))

console.log(`seed ${seed}, Node ${process.version}`)
/** By kind of connection: rounds, messages said and heard, requests of the client that were answered. */
const totals = {}
let messages = 0
let baseline
let last
const begin = performance.now()
let told = begin

async function one(round) {
  current = round
  const result = await playRound(roundSeed(seed, round))
  totals[result.kind] ??= { rounds: 0, said: 0, received: 0, answered: 0 }
  const total = totals[result.kind]
  total.rounds++
  for (const key of ['said', 'received', 'answered']) total[key] += result[key]
  messages += result.said
  if (result.objections.length > 0) fail(round, result.kind, result.objections)
}

if (values.round !== undefined) await one(Number(values.round))
else {
  for (let round = 0; messages < wanted && failures.length < MOST_FAILURES; round++) {
    await one(round)
    // The first rounds load and compile what all need.
    if (round === 200) baseline = heapMiB()
    if (performance.now() - told > 10_000) {
      told = performance.now()
      console.log(`${messages} messages, ${round + 1} rounds, ${Math.round(process.memoryUsage().rss / 2 ** 20)} MiB`)
    }
  }
  last = heapMiB()
  if (baseline !== undefined && last - baseline > MOST_GROWTH_MIB)
    fail(current, 'memory', [`the heap grew from ${baseline} to ${last} MiB`])
}

const seconds = ((performance.now() - begin) / 1000).toFixed(1)
console.log(`${messages} messages in ${seconds} s`)
console.table(totals)
if (baseline !== undefined) console.log(`heap ${baseline.toFixed(1)} MiB after 200 rounds, ${last?.toFixed(1)} MiB at the end`)
console.log(failures.length === 0 ? 'every invariant held' : `${failures.length} failures`)
process.exit(failures.length === 0 ? 0 : 1)
