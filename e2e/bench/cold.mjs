// The cost of the first hundred calls of a fresh process, one at a time: people make hundreds of calls a day, not millions. Next to our
// client the official one and the limit, a client by hand that checks nothing; by turns, each in a process of its own.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { median, ROUNDS, row, spread } from './report.mjs'

const here = (name) => fileURLToPath(new URL(name, import.meta.url))
const run = promisify(execFile)
const CLIENTS = ['limit', 'ours', 'official']

console.log(`\nThe first 100 calls of a fresh process, in ms; ×N beside the limit in the same round, medians of ${ROUNDS} rounds`)
await run(process.execPath, [here('build-adapter.mjs')])
for (const era of ['legacy', 'modern']) {
  for (const wire of ['stdio', 'http']) await measure(wire, era)
}

async function measure(wire, era) {
  const server = wire === 'http' ? spawn(process.execPath, [here('echo-server.mjs'), 'http', era]) : undefined
  const port = server ? String((await once(server.stdout, 'data'))[0]).trim() : ''
  const rounds = []
  for (let round = 0; round < ROUNDS; round++) {
    const figures = {}
    for (const client of CLIENTS) {
      const { stdout } = await run(process.execPath, [here('cold-worker.mjs'), client, wire, era, port])
      figures[client] = JSON.parse(stdout)
    }
    rounds.push(figures)
  }
  server?.kill()
  for (const client of CLIENTS) {
    const of = (key) => rounds.map((figures) => figures[client][key])
    const beside = (key) => rounds.map((figures) => figures[client][key] / figures.limit[key])
    const ratio = `×${median(beside('total')).toFixed(2)} (${spread(beside('total'))})`
    const note = `CPU ×${median(beside('cpu')).toFixed(2)}, first call ${median(of('first')).toFixed(1)} ms, opening ${median(of('open')).toFixed(0)} ms`
    row(`${era}, ${wire}: ${client}`, `${median(of('total')).toFixed(1)} ms`, `${ratio}, ${note}`)
  }
}
