#!/usr/bin/env node
// The command `parley` of the packed tarball: the built web shell, on Node 24 whatever the system has.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import util from 'node:util'
import { exitCode, findNode24 } from './node-24.mjs'

const inRoot = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))

const HELP = `Usage: parley [options]

Opens Parley in the browser, served to this computer alone.

  --data <folder>   keep everything in this folder
  --port <n>        port on 127.0.0.1 (any free one unless given)
  --no-open         print the link and do not open the browser
  --version         print the version
  --help            show this
`

if (Number.parseInt(process.versions.node, 10) < 20) {
  fail(`Parley needs Node 20.19 or newer to start; this is Node ${process.versions.node}.`)
}
const options = readOptions()
if (options.help) console.log(HELP)
else if (options.version) console.log(JSON.parse(readFileSync(inRoot('package.json'), 'utf8')).version)
else process.exitCode = await run()

function readOptions() {
  try {
    const { values } = util.parseArgs({
      options: {
        data: { type: 'string' },
        port: { type: 'string' },
        'no-open': { type: 'boolean', default: false },
        version: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    return values
  } catch (error) {
    return fail(`${error.message.split('. ')[0]}.\n\n${HELP}`)
  }
}

function run() {
  const node =
    findNode24() ??
    fail(
      `Parley needs Node 24; this is Node ${process.versions.node}, and for this system no other comes along. Install Node 24.`,
    )
  const args = [
    inRoot('out/main/web.js'),
    ...(options.data === undefined ? [] : ['--data', options.data && resolve(options.data)]),
    ...(options.port === undefined ? [] : ['--port', options.port]),
    ...(options['no-open'] ? ['--no-open'] : []),
  ]
  return exitCode(spawn(node, args, { stdio: 'inherit' }))
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
