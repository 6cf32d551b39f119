// Breaks one duty at a time in a copy of the project and runs the tests that should notice. A mutation that no failing test notices fails the run.
// `npm run mutate` runs all; `npm run mutate -- PING-01 stdio` those whose duty or file contains one of the words.
// --jobs n: that many copies at once (2 unless told). --check: only whether every mutation can be applied.
// --built: those that name tests of the build (`built`), each built before these run.
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { BuiltCopy } from './built.mjs'
import { areaOf, mutations, NOTICED, shares, unusable } from './list.mjs'

/** Longer than this no run of a mutation's tests takes; a test that hangs times out by itself long before. */
const LONGEST_MS = 180_000

const { values, positionals: words } = parseArgs({
  options: {
    jobs: { type: 'string', default: '2' },
    check: { type: 'boolean', default: false },
    built: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const chosen = mutations.filter(
  ({ duty, file, built }) =>
    (built !== undefined || !values.built) &&
    (words.length === 0 || words.some((word) => duty.includes(word) || file.includes(word))),
)
const problems = unusable()
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
else if (values.check) console.log(`${mutations.length} mutations can be applied.`)
else await runAll()

async function runAll() {
  const queue = [...chosen]
  const outcomes = []
  if (values.built) await build(queue, outcomes)
  else await Promise.all(Array.from({ length: Math.max(1, Number(values.jobs)) }, () => work(queue, outcomes)))
  const survived = outcomes.filter(({ is }) => !NOTICED.has(is))
  const weighty = shares()
  console.log('\narea      noticed  weighty duties')
  for (const area of [...new Set(chosen.map(({ duty }) => areaOf(duty)))].sort()) {
    const own = outcomes.filter(({ duty }) => areaOf(duty) === area)
    const seen = own.filter(({ is }) => NOTICED.has(is)).length
    console.log(`${area.padEnd(9)} ${`${seen} of ${own.length}`.padEnd(8)} ${weighty.get(area) ?? 0}`)
  }
  const failed = outcomes.filter(({ is }) => is === 'failed').length
  const noticed = outcomes.length - survived.length
  console.log(
    `\n${noticed} of ${outcomes.length} broken duties were noticed: ${failed} by a failing assertion, ${noticed - failed} by what a test threw.`,
  )
  for (const { is, duty, breaks, said, tests } of survived)
    console.error(`${duty}: ${breaks}: ${is}: ${said ?? tests.join(', ')}`)
  if (survived.length > 0) process.exitCode = 1
}

/** Takes mutations from the queue, one after the other, until none is left. */
async function work(queue, outcomes) {
  let worker
  for (let mutation = queue.shift(); mutation; mutation = queue.shift()) {
    worker ??= await started()
    const { is, title, said } = await answer(worker, mutation)
    if (is === 'not ended') worker = void worker.kill('SIGKILL')
    tell(outcomes, mutation, { is, title, said })
  }
  worker?.disconnect()
}

/** One after the other, since each build and its specs want the whole machine. */
async function build(queue, outcomes) {
  const copy = new BuiltCopy(new Set(queue.flatMap(({ built }) => built)))
  try {
    for (const mutation of queue) tell(outcomes, mutation, await copy.try(mutation))
  } finally {
    copy.remove()
  }
}

function tell(outcomes, mutation, { is, title, said }) {
  const words = title ? `“${title}”: ${said}` : said
  outcomes.push({ ...mutation, is, said: words })
  const word = NOTICED.has(is) ? is.padEnd(10) : is.toUpperCase().padEnd(10)
  const count = `${outcomes.length}/${chosen.length}`.padStart(7)
  console.log(
    `${word} ${count}  ${mutation.duty.padEnd(10)} ${mutation.breaks}${said ? `\n                    ${firstLine(words)}` : ''}`,
  )
}

function firstLine(text) {
  return text.split('\n', 1)[0].slice(0, 160)
}

function started() {
  const worker = fork(join(import.meta.dirname, 'worker.mjs'), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  return new Promise((resolve, reject) => {
    worker.once('message', () => resolve(worker))
    worker.once('exit', () => reject(new Error('A copy of the project could not be tested.')))
  })
}

function answer(worker, mutation) {
  return new Promise((resolve) => {
    const over = ({ outcome }) => {
      clearTimeout(timer)
      worker.off('message', over).off('exit', gone)
      resolve(outcome)
    }
    const gone = () => over({ outcome: { is: 'not ended', said: 'the tests did not end, or ended their process' } })
    const timer = setTimeout(gone, LONGEST_MS)
    worker.on('message', over).on('exit', gone)
    worker.send(mutation)
  })
}
