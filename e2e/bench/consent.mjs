// The cost of judging a call when much has been read and many rules are kept: reading its arguments (readAct), and the verdict. Ten thousand
// messages, a thousand rules, a hundred calls at a time. It wants Node 24 and no build.
import { readAct } from '../../src-main/consent/act.ts'
import { ConversationProvenance } from '../../src-main/consent/provenance.ts'
import { sqlIsReadable } from '../../src-main/consent/read-sql.ts'
import { RuleBook } from '../../src-main/consent/rules.ts'
import { verdictOf } from '../../src-main/consent/verdict.ts'
import { toolHints } from '../../src-shared/contract/servers.ts'
import { median, percentile, row } from './report.mjs'

const MESSAGES = 10_000
const RULES = 1_000
const CALLS = 100
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7) * 30
const AIM_MS = 1
/** Rounds until what is run often is compiled for good. */
const WARM_UP = 200

await sqlIsReadable

const tool = (serverId, name, defined) => ({
  ...{
    serverId,
    serverName: serverId,
    launchIdentity: `launch of ${serverId}`,
    name,
    fingerprint: `print of ${name}`,
    defined,
  },
  ...{ hints: toolHints({}), inputSchema: { type: 'object', properties: {} } },
})
const TOOLS = {
  read: tool('files', 'read_file', ['reads']),
  write: tool('files', 'write_file', ['reads', 'changes']),
  fetch: tool('web', 'fetch', ['brings-in']),
  issues: tool('git', 'list_issues', ['reads', 'brings-in']),
  comment: tool('git', 'add_comment', ['changes', 'sends']),
  query: tool('database', 'query', ['reads', 'changes', 'destroys', 'sends']),
  run: tool('shell', 'run_command', ['reads', 'brings-in', 'changes', 'destroys', 'sends']),
}

/** Texts as they come: prose, code, lists of issues, mail, rows. */
const WORDS =
  'the order of last week was shipped late because nobody had told the customer about new prices and so it came back unopened'.split(
    ' ',
  )
const prose = (n, length) => Array.from({ length }, (_, k) => WORDS[(n * 7 + k * (1 + (n % 5))) % WORDS.length]).join(' ')
const text = (n) =>
  [
    prose(n, 60),
    `#${10_000 + n} “${prose(n, 5)}” by dev${n % 40}@example.com, see https://docs.example.com/page/${n}?v=${n % 9}`,
    `export function handler${n % 900}(order: Order${n % 70}) { return post('/api/v1/orders/' + order.id, { total: ${n} }) }`,
    `| ${n} | ORD-${100_000 + n} | 2026-0${1 + (n % 9)}-${10 + (n % 18)} | ${(n * 1.19).toFixed(2)} EUR |`,
  ].join('\n')

const seen = new ConversationProvenance()
const started = performance.now()
for (let n = 0; n < MESSAGES; n++) {
  if (n % 4 === 0) seen.addMessage(prose(n, 30))
  else {
    const { serverId } = Object.values(TOOLS)[n % 7]
    seen.addResult(
      serverId,
      { call: `call-${n}`, what: `reading ${n}` },
      text(n),
      n % 3 ? ['reads'] : ['reads', 'brings-in'],
      new Map([['repo', `ana/repo-${n % 50}`]]),
    )
  }
}
const readIn = performance.now() - started

const limits = [
  (n) => ({ is: 'folder', path: `/home/ana/project-${n}` }),
  (n) => ({ is: 'host', host: `host-${n}.example.com` }),
  (n) => ({ is: 'value', argument: 'repo', value: `ana/repo-${n}` }),
  (n) => ({ is: 'statement', verb: 'SELECT', tables: [`table_${n}`] }),
  (n) => ({ is: 'command', words: `npm run script-${n}` }),
  () => ({ is: 'named-items' }),
]
const rules = new RuleBook(
  Array.from({ length: RULES }, (_, n) => {
    // A few dozen hold for every tool that is called; the rest are of a hundred other servers.
    const own = n % 3 === 0
    const judged = own ? Object.values(TOOLS)[n % 7] : tool(`server-${n % 100}`, `tool_${n % 10}`, [])
    const held = n % 50 === 1
    return {
      ...{ id: `rule-${n}`, effect: held ? 'deny' : 'allow', serverId: judged.serverId, launchIdentity: judged.launchIdentity },
      ...{ tools: { [judged.name]: judged.fingerprint }, powers: ['reads', 'brings-in', 'changes', 'sends'], scope: 'always' },
      ...{ limits: Array.from({ length: 1 + (n % 6) }, (_, k) => limits[(n + k) % limits.length](n % 60)), madeAt: 0, uses: 0 },
    }
  }),
)

const place = { folders: ['/home/ana/project-1', '/home/ana/project-2'], hosts: ['docs.example.com'], recipients: [] }
const facts = { home: '/home/ana', resolved: new Map(), seen, base: '/home/ana/project-1' }
const situation = { rules, place, seen, conversationId: 'here', now: 1_000 }

let fresh = 0
const another = () => {
  fresh += 1
  return fresh
}
const PLAIN = {
  'a file': (n) => [TOOLS.read, { path: `/home/ana/project-${n % 80}/src/handler${n}.ts` }],
  'an edit of 40 lines': (n) => [
    TOOLS.write,
    { path: `/home/ana/project-${n % 80}/src/a.ts`, content: `${text(n)}\n`.repeat(10) },
  ],
  'an address that was read': (n) => [
    TOOLS.fetch,
    { url: `https://docs.example.com/page/${1 + 4 * (n % 900)}?v=${(1 + 4 * (n % 900)) % 9}` },
  ],
  'a new address': (n) => [TOOLS.fetch, { url: `https://news.example.org/${n}/story` }],
  'a list of issues': (n) => [TOOLS.issues, { repo: `ana/repo-${n % 90}`, state: 'open', labels: ['bug', 'urgent'], limit: 50 }],
  'a comment of 60 words': (n) => [TOOLS.comment, { repo: `ana/repo-${n % 90}`, issue_number: 10_000 + n, body: prose(n, 60) }],
}
const PARSED = {
  'SQL seen before': (n) => [TOOLS.query, { sql: `SELECT id, total FROM table_${n % 20} WHERE total > 100 ORDER BY id` }],
  'new SQL': () => [TOOLS.query, { sql: `SELECT id, total FROM table_1 WHERE total > ${another()} ORDER BY id` }],
  'a command seen before': (n) => [TOOLS.run, { command: `npm run lint -- src/handler${n % 20}.ts` }],
  'a new command': () => [TOOLS.run, { command: `npm run lint -- src/handler${another()}.ts` }],
}

/** Times of rounds of a hundred calls each. */
function timed(shapes) {
  const reading = []
  const judging = []
  const outcomes = {}
  for (let round = 0; round < ROUNDS + WARM_UP; round++) {
    const calls = Array.from({ length: CALLS }, (_, n) => shapes[n % shapes.length](round * 31 + n))
    const before = performance.now()
    const acts = calls.map(([judged, args]) => readAct(judged, args, facts))
    const between = performance.now()
    const verdicts = acts.map((act) => verdictOf(act, situation))
    const after = performance.now()
    // Compilation is not measured.
    if (round < WARM_UP) continue
    reading.push(between - before)
    judging.push(after - between)
    for (const { is } of verdicts) outcomes[is] = (outcomes[is] ?? 0) + 1
  }
  const both = reading.map((time, n) => time + judging[n])
  return { reading, judging, both, outcomes }
}

const told = (numbers) => `${median(numbers).toFixed(3)} / ${percentile(numbers, 0.95).toFixed(3)} ms`
function report(name, shapes) {
  const { reading, judging, both, outcomes } = timed(shapes)
  const share = Object.entries(outcomes).map(([is, n]) => `${is} ${((100 * n) / (CALLS * ROUNDS)).toFixed(0)} %`)
  row(name, told(both), `arguments ${told(reading)}, verdict ${told(judging)}; ${share.join(', ')}`)
  return median(both)
}

console.log(
  `${CALLS} verdicts with ${RULES} rules after ${MESSAGES} messages (read in ${(readIn / 1_000).toFixed(1)} s): median / p95 of ${ROUNDS} rounds`,
)
const plain = report('plain arguments, mixed', Object.values(PLAIN))
for (const [name, shape] of Object.entries(PLAIN)) report(`  ${name}`, [shape])
for (const [name, shape] of Object.entries(PARSED)) report(name, [shape])
console.log(`aim: plain arguments within ${AIM_MS} ms; ${plain <= AIM_MS ? 'met' : 'missed'}`)
if (plain > AIM_MS) process.exitCode = 1
