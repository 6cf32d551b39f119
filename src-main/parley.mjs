#!/usr/bin/env node
// The command `parley` of the packed tarball: the built web shell, on Node 24 whatever the system has.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import util from 'node:util'
import { exitCode, findNode24 } from './node-24.mjs'

const inRoot = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))

const HELP = `Usage: parley [options]           opens Parley in the browser, served to this computer alone
       parley serve [options]     the same without opening a browser, as a service
       parley run "prompt"        runs a prompt and prints the reply ("parley run" says more)
       parley link                prints a fresh link to the running page

  --data <folder>   keep everything in this folder
  --port <n>        port on 127.0.0.1 (any free one unless given)
  --no-open         print the link and do not open the browser
  --version         print the version
  --help            show this
`

if (Number.parseInt(process.versions.node, 10) < 20) {
  fail(`Parley needs Node 20.19 or newer to start; this is Node ${process.versions.node}.`)
}
const argv = process.argv.slice(2)
if (argv[0] === 'run' || argv[0] === 'link') process.exitCode = await start('out/main/run.js', argv)
else await open()

async function open() {
  const options = readOptions()
  if (options.help) console.log(HELP)
  else if (options.version) console.log(JSON.parse(readFileSync(inRoot('package.json'), 'utf8')).version)
  else process.exitCode = await start('out/main/web.js', webArguments(options))
}

function readOptions() {
  try {
    const serve = argv[0] === 'serve'
    const { values } = util.parseArgs({
      args: serve ? argv.slice(1) : argv,
      options: {
        data: { type: 'string' },
        port: { type: 'string' },
        'no-open': { type: 'boolean', default: serve },
        version: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    return values
  } catch (error) {
    return fail(`${error.message.split('. ')[0]}.\n\n${HELP}`)
  }
}

/** Runs a program of the build on Node 24; resolves with its exit code. */
function start(program, args) {
  const node =
    findNode24() ??
    fail(
      `Parley needs Node 24; this is Node ${process.versions.node}, and for this system no other comes along. Install Node 24.`,
    )
  return exitCode(spawn(node, [inRoot(program), ...args], { stdio: 'inherit' }))
}

function webArguments(options) {
  return [
    ...(options.data === undefined ? [] : ['--data', options.data && resolve(options.data)]),
    ...(options.port === undefined ? [] : ['--port', options.port]),
    ...(options['no-open'] ? ['--no-open'] : []),
  ]
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
