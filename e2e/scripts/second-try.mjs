// A test that fails is run once more by itself. A pass then counts, but is reported last, where a log is read first.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root, run } from './run.mjs'

/** More failures than this, over all parts of a run, are a broken build rather than chance. */
const MAX_RETRIED = 2
const ERRORS_REPORTER = fileURLToPath(new URL('unhandled-errors-reporter.mjs', import.meta.url))

/**
 * The second tries of one run. Each part resolves as `run` does, with a `notice` where a test passed at its second try; all of them also
 * stand in `<reports>/second-try.md`.
 */
export class SecondTries {
  #reports
  #cwd
  #left = MAX_RETRIED
  #pages = []

  constructor(reports, { cwd = root } = {}) {
    this.#reports = reports
    this.#cwd = cwd
  }

  /** Runs the specs of a Playwright config whose json report is `<reports>/flows.json`. */
  async specs({ config, env = {} }) {
    const first = await run('playwright', ['test', '--config', config], { cwd: this.#cwd, env })
    const failed = first.code === 0 ? [] : (this.#report('flows')?.suites.flatMap(failedSpecs) ?? [])
    return this.#again(first, 'spec', failed, () => {
      const projects = [...new Set(failed.map(({ project }) => project))].flatMap((name) => ['--project', name])
      const places = failed.map(({ file, line }) => `${file}:${line}`)
      const own = ['--workers', '1', '--reporter', 'list,json', '--output', join(this.#reports, 'flows-second')]
      return run('playwright', ['test', '--config', config, ...places, ...own, ...projects], {
        cwd: this.#cwd,
        env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: this.#file('flows-second') },
      })
    })
  }

  /**
   * Runs a project of a Vitest config, with its json report at `<reports>/<project>.json`. The second try is of whole files, whose results
   * then take the place of the first. An error outside any test allows none.
   */
  async tests({ config, project }) {
    const first = await this.#vitest(config, project, project)
    const failed = first.code === 0 || first.unhandled ? [] : (this.#report(project)?.testResults.flatMap(failedTests) ?? [])
    return this.#again(first, 'test', failed, async () => {
      const files = [...new Set(failed.map(({ path }) => path))]
      const second = await this.#vitest(config, project, `${project}-second`, ['--no-file-parallelism', ...files])
      if (second.code === 0) this.#merge(project)
      return second
    })
  }

  async #vitest(config, project, report, more = []) {
    const errors = this.#file(`${report}-errors`)
    rmSync(errors, { force: true })
    const reporters = ['default', 'json', ERRORS_REPORTER].flatMap((name) => ['--reporter', name])
    const args = ['run', '--config', config, '--project', project, ...reporters, '--outputFile.json', this.#file(report), ...more]
    const ended = await run('vitest', args, { cwd: this.#cwd, env: { PARLEY_UNHANDLED_ERRORS: errors } })
    return { ...ended, unhandled: existsSync(errors) }
  }

  async #again(first, noun, failed, go) {
    if (failed.length === 0 || failed.length > this.#left) return first
    this.#left -= failed.length
    console.log(`\n── Once more, by itself: ${failed.map(({ title }) => title).join(', ')}`)
    const second = await go()
    if (second.code !== 0) return { ...second, output: `${first.output}\n${second.output}` }
    const count = failed.length === 1 ? `1 ${noun}` : `${failed.length} ${noun}s`
    const notice = `${count} passed at the second try: ${failed.map(({ file, title }) => `${file} › ${title}`).join('; ')}`
    this.#pages.push(`${notice}\n\n${first.output.slice(-20_000)}\n`)
    writeFileSync(join(this.#reports, 'second-try.md'), this.#pages.join('\n'))
    return { ...second, notice }
  }

  #file(report) {
    return join(this.#reports, `${report}.json`)
  }

  #report(name) {
    const file = this.#file(name)
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
  }

  #merge(project) {
    const second = new Map(this.#report(`${project}-second`).testResults.map((result) => [result.name, result]))
    const report = this.#report(project)
    const testResults = report.testResults.map((result) => second.get(result.name) ?? result)
    writeFileSync(this.#file(project), JSON.stringify({ ...report, testResults }))
  }
}

function failedSpecs(suite) {
  const own = (suite.specs ?? []).flatMap(({ title, file, line, tests }) =>
    tests.filter(({ status }) => status === 'unexpected').map(({ projectName }) => ({ title, file, line, project: projectName })),
  )
  return [...own, ...(suite.suites ?? []).flatMap(failedSpecs)]
}

/** The tests of a file that failed; the file itself where it failed outside them. */
function failedTests({ name: path, status, assertionResults }) {
  if (status !== 'failed') return []
  const file = path.replaceAll('\\', '/').split('/').at(-1)
  const titles = assertionResults.filter((test) => test.status === 'failed').map(({ title }) => title)
  return (titles.length > 0 ? titles : ['the file']).map((title) => ({ path, file, title }))
}
