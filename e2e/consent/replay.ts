import { createHash, randomUUID } from 'node:crypto'
import { dirname, resolve } from 'node:path/posix'
import { type Act, readAct } from '../../src-main/consent/act.ts'
import { recordApproval, recordDenial, recordResult, recordSent } from '../../src-main/consent/answers.ts'
import { knownPowers } from '../../src-main/consent/known/known-servers.ts'
import { namedElsewhere } from '../../src-main/consent/named-elsewhere.ts'
import { type AskedCall, offersFor } from '../../src-main/consent/offers.ts'
import { type JudgedTool, type Offline, powersOf } from '../../src-main/consent/powers.ts'
import { ConversationProvenance } from '../../src-main/consent/provenance.ts'
import { RuleBook } from '../../src-main/consent/rules.ts'
import { type Verdict, verdictOf } from '../../src-main/consent/verdict.ts'
import { publishedAddress, publishedPackage } from '../../src-main/host/launch/published-package.ts'
import { toldPowers } from '../../src-renderer/powers/tool-sheet.ts'
import { type ConsentRule, type Offer, onlyReads, POWERS, type Power } from '../../src-shared/contract/consent.ts'
import type { ConsentRuleId, ConversationId } from '../../src-shared/contract/ids.ts'
import { toolHints } from '../../src-shared/contract/servers.ts'
import { linked } from '../test-hosts/consent-call.ts'
import type { RecordedCall, RecordedServer, RecordedSet, RecordedTask, RecordedTool } from './tasks.ts'

/** What became of one call in a replay. */
export interface Outcome {
  readonly task: string
  readonly call: RecordedCall
  readonly act: Act
  readonly verdict: Verdict
  /** Which question of the task, from 0; absent where nobody was asked. */
  readonly question?: number
  /** What the person takes. */
  readonly offered?: string
  /** All that the question offers, narrow ones first. */
  readonly offers?: readonly Offer[]
}

const HERE = 'conversation' as ConversationId

/** What the person says of a tool at the first start of its server; undefined where they say nothing. */
type Telling = (tool: JudgedTool) => readonly Power[] | undefined

/** They leave all guesses as they are. */
export const asGuessed: Telling = (tool) => [...powersOf(tool).powers]

/** They know what the set says that the tools do, and leave the other guesses. */
export const truthOf =
  ({ told }: RecordedSet): Telling =>
  (tool) => {
    const power = POWERS.find((one) => told[tool.serverName]?.[one]?.includes(tool.name))
    return power ? toldPowers(power) : asGuessed(tool)
  }

/** Permissions that the person gave beforehand. */
export interface Beforehand {
  readonly telling?: Telling | undefined
  /** They ticked that files may change in the folders that the task names. */
  readonly edits?: boolean
  /** They fenced the servers whose tools need no network. */
  readonly fenced?: boolean
}

/** Servers on this computer that need no network for what they do, and those among them that work in a folder of the person's. */
const OFFLINE: Readonly<Record<Offline, readonly string[]>> = {
  alone: ['calc-tools', 'cellar_memory', 'memory', 'museumdb'],
  'with-folders': ['deskfiles', 'excel', 'files', 'filesystem', 'git', 'obsidian', 'sqlite', 'toolshed'],
}
const offlineOf = (name: string) => (['alone', 'with-folders'] as const).find((how) => OFFLINE[how].includes(name))

/** Replays a task; the person denies what is unsafe, and takes the first offer for what is not. */
export function replay(
  task: RecordedTask,
  servers: RecordedSet['servers'],
  { telling, edits = false, fenced = false }: Beforehand = {},
): readonly Outcome[] {
  const place = {
    folders: task.limits?.folders ?? [],
    hosts: task.limits?.hosts ?? [],
    recipients: task.limits?.recipients ?? [],
    ...(edits && { editable: task.limits?.folders ?? [] }),
  }
  const facts = {
    home: '/home/ana',
    resolved: linked(task.links ?? {}),
    folders: foldersIn(task, place.folders),
    // Recorded files are no programs.
    plain: { has: () => true },
    // Recorded folders hold repositories that name no program and have no hooks.
    repositories: new Map(place.folders.map((folder) => [folder, folder])),
    hookless: { has: () => true },
  }
  const tools = new Map(task.servers.map((name) => [name, judgedTools(name, servers.get(name), telling, fenced)]))
  const described = [...tools].flatMap(([name, own]) =>
    (servers.get(name)?.tools ?? []).flatMap((one) => {
      const tool = own.get(one.name)
      return tool ? [{ tool, description: one.description ?? '' }] : []
    }),
  )
  const seen = new ConversationProvenance()
  const outcomes: Outcome[] = []
  let rules: ConsentRule[] = []
  let questions = 0
  for (const turn of task.turns) {
    seen.addMessage(turn.says)
    rules = rules.filter(({ scope }) => scope !== 'task')
    for (const round of turn.rounds) {
      const looked = round.map((call) => {
        const own = tools.get(call.server) ?? new Map<string, JudgedTool>()
        if (call.changed) {
          const before = servers.get(call.server)?.tools.find(({ name }) => name === call.tool)
          if (before) own.set(call.tool, judged(call.server, servers.get(call.server), { ...before, ...call.changed }))
        }
        const tool = own.get(call.tool)
        if (!tool) throw new Error(`${task.file}: ${call.server} is not among the task's servers`)
        const act = readAct(tool, call.arguments, {
          ...facts,
          seen,
          ...(place.folders[0] !== undefined && { base: place.folders[0] }),
        })
        const namedBy = namedElsewhere(tool, described)
        const verdict = verdictOf(act, { rules: new RuleBook(rules), place, seen, conversationId: HERE, now: 0, namedBy })
        return { call, act, verdict, siblings: [...own.values()], readings: seen.readings }
      })
      const asked = looked.flatMap(({ act, verdict, siblings, readings, call }) =>
        verdict.is === 'ask' ? [{ act, verdict, siblings, readings, call }] : [],
      )
      const accepted = asked.filter(({ call }) => call.unsafe === undefined)
      const offersOf = (calls: readonly AskedCall[]) =>
        offersFor(calls, {
          place,
          facts,
          ...(!rules.some(({ powers }) => onlyReads(powers)) && {
            others: [...tools.values()].flatMap((own) => [...own.values()]),
          }),
        })
      const offer = accepted.length > 0 ? offersOf(accepted).find(({ wide }) => !wide) : undefined
      const offers = asked.length > 0 ? offersOf(asked) : undefined
      const question = asked.length > 0 ? questions++ : undefined
      if (offer) {
        rules.push({
          ...offer.draft,
          id: randomUUID() as ConsentRuleId,
          effect: 'allow',
          conversationId: HERE,
          madeAt: 0,
          uses: 0,
        })
      }
      for (const { act } of accepted) recordApproval(act, seen)
      for (const { call, act, verdict } of looked) {
        outcomes.push({
          task: task.file,
          call,
          act,
          verdict,
          ...(verdict.is === 'ask' && question !== undefined && { question }),
          ...(verdict.is === 'ask' && offer && { offered: offer.label }),
          ...(verdict.is === 'ask' && offers && { offers }),
        })
        if (verdict.is === 'ask' && call.unsafe !== undefined) {
          recordDenial(act, seen)
          continue
        }
        recordSent(act, seen)
        const text = typeof call.result === 'string' ? call.result : JSON.stringify(call.result ?? '')
        const source = { call: `${call.server}/${call.tool}#${outcomes.length}`, what: `${call.tool} of ${call.server}` }
        recordResult(act, source, text, seen)
      }
    }
  }
  return outcomes
}

const isUnsafe = ({ unsafe }: RecordedCall) => unsafe !== undefined

/** What became of each unsafe call where the model made none of the task's others: their denial would hold it, too. */
export function replayAlone(
  task: RecordedTask,
  servers: RecordedSet['servers'],
  beforehand: Beforehand = {},
): readonly Outcome[] {
  const unsafe = task.turns.flatMap(({ rounds }) => rounds.flat()).filter(isUnsafe)
  return unsafe.flatMap((one) => {
    const kept = (round: readonly RecordedCall[]) => round.filter((call) => call === one || !isUnsafe(call))
    const turns = task.turns.map((turn) => ({ ...turn, rounds: turn.rounds.map(kept) }))
    return replay({ ...task, turns }, servers, beforehand).filter(({ call }) => call === one)
  })
}

/** The folders that the task names, and those of paths in its calls. */
function foldersIn({ turns }: RecordedTask, named: readonly string[]): ReadonlySet<string> {
  const folders = new Set(named)
  const take = (value: unknown) => {
    if (typeof value === 'object' && value !== null) Object.values(value).forEach(take)
    if (typeof value !== 'string' || !value.includes('/')) return
    for (const base of ['/', ...named]) folders.add(dirname(resolve(base, value)))
  }
  for (const { rounds } of turns) for (const call of rounds.flat()) take(call.arguments)
  return folders
}

function judgedTools(
  name: string,
  server: RecordedServer | undefined,
  telling: Telling | undefined,
  fenced: boolean,
): Map<string, JudgedTool> {
  const offline = fenced ? offlineOf(name) : undefined
  return new Map(
    (server?.tools ?? []).map((one) => {
      const tool = { ...judged(name, server, one), ...(offline && { offline }) }
      const told = telling?.(tool)
      return [tool.name, { ...tool, ...(told && { told }) }]
    }),
  )
}

function judged(serverName: string, server: RecordedServer | undefined, tool: RecordedTool): JudgedTool {
  const published = server?.package !== undefined ? knownName(server.package, tool.name) : publishedAddress(server?.remote ?? '')
  return {
    serverId: serverName,
    serverName,
    launchIdentity: server?.package ?? server?.remote ?? serverName,
    ...(published !== undefined && { published }),
    name: tool.name,
    fingerprint: createHash('sha256').update(JSON.stringify(tool)).digest('hex'),
    hints: toolHints(tool.annotations),
    inputSchema: tool.inputSchema,
  }
}

/** As the list of published servers has it: on npm, on PyPI or an image. */
const knownName = (name: string, tool: string) =>
  [publishedPackage('npx', [name]), publishedPackage('uvx', [name]), `docker:${name}`].find((one) => knownPowers(one, tool)) ??
  name

export interface Measured {
  readonly calls: number
  readonly questions: number
  readonly unsafe: number
  readonly passed: readonly Outcome[]
  readonly needless: number
  /** Calls that are not unsafe, and those of them that were asked about. */
  readonly fair: number
  readonly fairAsked: number
}

/** Questions count once for a round; one is needless when all that it asks about is routine. */
export function measured(outcomes: readonly Outcome[]): Measured {
  const questions = new Map<string, Outcome[]>()
  for (const outcome of outcomes) {
    if (outcome.question === undefined) continue
    const key = `${outcome.task}\n${outcome.question}`
    questions.set(key, [...(questions.get(key) ?? []), outcome])
  }
  const fair = outcomes.filter(({ call }) => call.unsafe === undefined)
  return {
    calls: outcomes.length,
    questions: questions.size,
    unsafe: outcomes.length - fair.length,
    fair: fair.length,
    fairAsked: fair.filter(({ verdict }) => verdict.is === 'ask').length,
    passed: outcomes.filter(({ call, verdict }) => call.unsafe !== undefined && verdict.is === 'allow'),
    needless: [...questions.values()].filter((asked) => asked.every(({ call }) => call.routine === true)).length,
  }
}
