// A spec that fails is run once more by itself. A pass then counts, but is reported last, where a log is read first.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './run.mjs'

/** More failures than this are a broken build rather than chance. */
const MAX_RETRIED = 2

/**
 * Runs the specs of a Playwright config whose json report is `<reports>/flows.json`; at most two failed ones get a second try.
 * Resolves as `run` does, with a `notice` where a spec passed at the second try; it also stands in `<reports>/second-try.md`.
 */
export async function runSpecs({ config, reports, cwd, env = {} }) {
  const first = await run('playwright', ['test', '--config', config], { cwd, env })
  const failed = first.code === 0 ? [] : failedSpecs(join(reports, 'flows.json'))
  if (failed.length === 0 || failed.length > MAX_RETRIED) return first
  console.log(`\n── Once more, by itself: ${failed.map(({ title }) => title).join(', ')}`)
  const projects = [...new Set(failed.map(({ project }) => project))].flatMap((name) => ['--project', name])
  const places = failed.map(({ file, line }) => `${file}:${line}`)
  const own = ['--workers', '1', '--reporter', 'list,json', '--output', join(reports, 'flows-second')]
  const second = await run('playwright', ['test', '--config', config, ...places, ...own, ...projects], {
    cwd,
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: join(reports, 'flows-second.json') },
  })
  if (second.code !== 0) return { ...second, output: `${first.output}\n${second.output}` }
  const count = failed.length === 1 ? '1 spec' : `${failed.length} specs`
  const notice = `${count} passed at the second try: ${failed.map(({ file, title }) => `${file} › ${title}`).join('; ')}`
  writeFileSync(join(reports, 'second-try.md'), `${notice}\n\n${first.output.slice(-20_000)}\n`)
  return { ...second, notice }
}

/** The specs that failed in a Playwright json report; none where there is no report. */
function failedSpecs(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).suites.flatMap(failedIn) : []
}

function failedIn(suite) {
  const own = (suite.specs ?? []).flatMap(({ title, file, line, tests }) =>
    tests.filter(({ status }) => status === 'unexpected').map(({ projectName }) => ({ title, file, line, project: projectName })),
  )
  return [...own, ...(suite.suites ?? []).flatMap(failedIn)]
}
