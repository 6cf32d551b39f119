import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { systemClock } from '../../../src-shared/base/clock.ts'
import { askRunning } from '../../runs/run-client.ts'
import { PROMPT_LIMIT, type RunAsk, type RunLine, type RunRequest } from '../../runs/run-messages.ts'
import { runPrompt } from '../../runs/run-prompt.ts'
import { defaultDataFolder } from '../../storage/base/data-folder.ts'
import { StorageError } from '../../storage/base/storage.ts'
import { holderOf } from '../../storage/folder-lock.ts'
import { afterRuns } from '../after-runs.ts'
import { openHost } from '../open-host.ts'
import { headlessPlatform } from './headless-platform.ts'
import { EXIT, inert, jsonLine, sentencesOf } from './run-words.ts'

const USAGE = `Usage: parley run [options] "prompt"     (- reads the prompt from standard input)
       parley link [--data <folder>]

run sends a prompt in a new conversation, prints the reply, and ends. It uses the servers, rules and model of the
data folder, in the Parley that has it open or else in one of its own. It never allows a call by itself.
link prints a fresh link to the page of a running web shell.

  --project <name>  in this project, with its instructions, folders, tools and model
  --json            print one line of JSON: status, reply, calls, questions, tokens, problem
  --data <folder>   use this data folder

Exit codes: 0 finished, 1 failed, 2 wrong usage, 3 a call or the start of a server waits for your answer.
`

interface Command {
  readonly folder: string
  readonly json: boolean
  readonly ask: RunAsk
}

class UsageError extends Error {}

async function readCommand(argv: readonly string[]): Promise<Command> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: { data: { type: 'string' }, project: { type: 'string' }, json: { type: 'boolean', default: false } },
  })
  const { data, project, json } = values
  if (data === '') throw new UsageError('--data needs the path of a folder.')
  const folder = data === undefined ? defaultDataFolder(process.platform, process.env) : resolve(data)
  const [command, given, ...more] = positionals
  if (command === 'link' && given === undefined) return { folder, json, ask: { is: 'link' } }
  if (command !== 'run' || given === undefined || more.length > 0) {
    throw new UsageError(command === 'run' ? 'run needs one prompt, in quotes.' : 'The commands are run and link.')
  }
  if (project === '') throw new UsageError('--project needs the name of a project.')
  const prompt = (given === '-' ? await text(process.stdin) : given).trim()
  if (!prompt) throw new UsageError('The prompt is empty.')
  if (prompt.length > PROMPT_LIMIT)
    throw new UsageError(`A prompt has at most ${PROMPT_LIMIT} characters; this one has ${prompt.length}.`)
  return { folder, json, ask: { is: 'run', request: { prompt, ...(project !== undefined && { project }) } } }
}

const onNote = (note: string) => console.error(inert(note))

/** In the Parley that has the folder open, or in a host of its own; after another run of the same folder. */
async function answerTo({ folder, ask }: Command, signal: AbortSignal): Promise<RunLine> {
  if (ask.is === 'link') {
    const holder = await holderOf(folder)
    if (!holder?.runs) throw new Error(`No running Parley uses ${folder}.`)
    return askRunning(holder.runs, ask, { signal, onNote })
  }
  try {
    return await afterRuns(() => runAlone(folder, ask.request, signal), { clock: systemClock, signal })
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== 'locked' || !error.holder?.runs) throw error
    return askRunning(error.holder.runs, ask, { signal, onNote })
  }
}

async function runAlone(folder: string, request: RunRequest, signal: AbortSignal): Promise<RunLine> {
  const { host, end } = await openHost(folder, headlessPlatform(), systemClock, { forRun: true })
  try {
    return { is: 'outcome', outcome: await runPrompt(host, request, { signal, onNote }) }
  } finally {
    await end()
  }
}

/** Prints what came, and returns the exit code. */
function show(line: RunLine, json: boolean): number {
  if (line.is === 'outcome') {
    const { outcome } = line
    if (json) console.log(jsonLine(outcome))
    else if (outcome.reply) console.log(inert(outcome.reply))
    if (!json) for (const sentence of sentencesOf(outcome)) console.error(inert(sentence))
    return EXIT[outcome.status]
  }
  if (line.is === 'link') {
    console.log(line.link)
    return EXIT.finished
  }
  console.error(inert(line.is === 'refused' ? line.why : line.text))
  return EXIT.failed
}

async function main(): Promise<number> {
  const stopped = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopped.abort(new Error('Stopped.')))
  try {
    const command = await readCommand(process.argv.slice(2))
    return show(await answerTo(command, stopped.signal), command.json)
  } catch (error) {
    if (stopped.signal.aborted) return EXIT.stopped
    if (isUsage(error)) {
      console.error(`${error.message}\n\n${USAGE}`)
      return EXIT.usage
    }
    console.error(inert(error instanceof Error ? error.message : String(error)))
    return EXIT.failed
  }
}

/** Thrown here or by Node's `parseArgs`. */
const isUsage = (error: unknown): error is Error =>
  error instanceof UsageError || (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))

// The reader of a pipe may have ended.
process.stdout.on('error', () => {})
const code = await main()
// A pipe may not have taken everything yet.
process.stdout.write('', () => process.exit(code))
