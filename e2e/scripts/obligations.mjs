// Writes out/reports/obligations.md from the duties' list and the reports of the tests that ran and passed (out/reports/*.json).
// --check: fails when a report is missing, when a test cites a duty that does not exist or too many, or when a binding duty has
// neither a test nor a reason.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.mjs'

const PARTS = ['unit', 'integration', 'interop', 'flows']
const BINDING = new Set(['MUST', 'MUST NOT', 'SHOULD', 'SHOULD NOT', 'OURS'])
const ID =
  /\b(?:V26-[A-Z]+|ARCH|SEC|MSG|SCHEMA|LIFE|TRAN|AUTH|PING|CANC|PROG|PAGE|LOG|COMP|TOOL|RES|PROMPT|ROOT|SAMP|ELIC|TRAP|V11|EXT|APP|MCPB|REG|SKILL|TASK|XAUTH)-\d+\b/g
const reports = join(root, 'out', 'reports')
const read = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'))

const LISTS = ['obligations.json', 'obligations-2025-11-25.json', 'obligations-2026-07-28.json', 'obligations-extensions.json']
const duties = LISTS.flatMap((file) => read(`e2e/${file}`))
/** Duties without a test of their own, and why: id → reason. */
const reasons = read('e2e/obligations-open.json')

const citing = new Map(duties.map(({ id }) => [id, []]))
const complaints = PARTS.filter((part) => !existsSync(join(reports, `${part}.json`))).map(
  (part) => `There is no report of ${part}: run npm test without words.`,
)
let passed = 0
for (const { title, file } of passedTests()) {
  passed++
  const ids = [...new Set(title.match(ID) ?? [])]
  if (ids.length > 3) complaints.push(`${file}: “${title}” cites ${ids.length} duties; three at most`)
  for (const id of ids) {
    if (citing.has(id)) citing.get(id).push({ title: title.replace(/\s*\([^()]*\)\s*$/, ''), file })
    else complaints.push(`${file}: “${title}” cites ${id}, which is no duty`)
  }
}

const open = duties.filter(({ id }) => citing.get(id).length === 0)
const missing = open.filter(({ id, level }) => BINDING.has(level) && !reasons[id])
for (const id of Object.keys(reasons))
  if (citing.get(id)?.length > 0) complaints.push(`obligations-open.json says why ${id} has no test, but it has one`)

const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
const areaOf = (id) => id.slice(0, id.lastIndexOf('-'))
const areas = [...new Set(duties.map(({ id }) => areaOf(id)))]
const page = `# Duties and the tests that cite them

Written by \`npm test\` from the titles of the ${passed} tests that ran and passed. A duty is a numbered rule of the Model Context Protocol for a client
or host (revisions 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25 and 2026-07-28, the last of which counts its own, V26), or one of our own where those are silent (OURS). TRAP rows are places where implementations go wrong.

| area | duties | cited | binding and not cited |
| --- | ---: | ---: | ---: |
${areas
  .map((area) => {
    const own = duties.filter(({ id }) => areaOf(id) === area)
    const count = (list) => list.filter(({ id }) => areaOf(id) === area).length
    return `| ${area} | ${own.length} | ${own.length - count(open)} | ${count(open.filter(({ level }) => BINDING.has(level)))} |`
  })
  .join('\n')}

${areas
  .map(
    (area) => `## ${area}

| id | level | duty | cited by |
| --- | --- | --- | --- |
${duties
  .filter(({ id }) => areaOf(id) === area)
  .map(({ id, level, text }) => `| ${id} | ${level} | ${cell(text)} | ${proof(id)} |`)
  .join('\n')}`,
  )
  .join('\n\n')}
`
mkdirSync(reports, { recursive: true })
writeFileSync(join(reports, 'obligations.md'), page)
console.log(
  `${duties.length - open.length} of ${duties.length} duties are cited by ${passed} tests that passed; ${missing.length} binding ones have neither a test nor a reason.
Each with its tests: out/reports/obligations.md`,
)

if (process.argv.includes('--check')) {
  for (const complaint of complaints) console.error(complaint)
  if (missing.length > 0) console.error(`Neither cited nor explained: ${missing.map(({ id }) => id).join(', ')}`)
  if (complaints.length + missing.length > 0) process.exitCode = 1
}

function proof(id) {
  const tests = citing.get(id)
  if (tests.length === 0) return reasons[id] ? `*not yet:* ${cell(reasons[id])}` : '*not yet*'
  const [first] = tests
  return `${cell(first.title)} (\`${first.file}\`)${tests.length > 1 ? ` and ${tests.length - 1} more` : ''}`
}

function* passedTests() {
  const relative = (file) =>
    file
      .replaceAll('\\', '/')
      .replace(`${root.replaceAll('\\', '/')}`, '')
      .replace(/^\//, '')
  for (const name of [...PARTS, 'flows-second'].map((part) => `${part}.json`).filter((file) => existsSync(join(reports, file)))) {
    const report = JSON.parse(readFileSync(join(reports, name), 'utf8'))
    for (const suite of report.testResults ?? []) {
      for (const { title, status } of suite.assertionResults) if (status === 'passed') yield { title, file: relative(suite.name) }
    }
    for (const suite of report.suites ?? []) yield* playwrightTests(suite)
  }
}

function* playwrightTests(suite) {
  for (const spec of suite.specs ?? []) {
    if (spec.ok && spec.tests.some((test) => test.status === 'expected'))
      yield { title: spec.title, file: `e2e/flows/${spec.file}` }
  }
  for (const inner of suite.suites ?? []) yield* playwrightTests(inner)
}
