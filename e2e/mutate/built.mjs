// Breaks a duty in a copy of the project, builds that, and runs what starts the build: what the bundler does to the code must not hide it.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { partsOf } from '../scripts/parts.mjs'
import { root, run } from '../scripts/run.mjs'
import { broken, failureOf, NOTICED } from './list.mjs'

const COPIED = [
  'src-main',
  'src-shared',
  'src-renderer',
  'e2e',
  'docs',
  'assets',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'vite.config.ts',
  'LICENSE',
]

/** A copy of the project in which one mutation after the other is built and tried. */
export class BuiltCopy {
  #folder = mkdtempSync(join(tmpdir(), 'parley-mutate-built-'))
  /** The results of tests without a break, by their names; all in one build. */
  #unbroken = new Map()
  #named

  /** Tests that mutations to come name. */
  constructor(tests) {
    this.#named = tests
    for (const name of COPIED) cpSync(join(root, name), join(this.#folder, name), { recursive: true })
    // No symbolic link: the build and Playwright go by real paths. Hard links where the system has them, as copies take minutes.
    const packages = [join(root, 'node_modules'), join(this.#folder, 'node_modules')]
    if (spawnSync('cp', ['-al', ...packages]).status !== 0) cpSync(...packages, { recursive: true, verbatimSymlinks: true })
  }

  remove() {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** Outcomes as `worker.mjs` has them. A build that fails, and a run without a report, tell nothing of the duty. */
  async try(mutation) {
    const failed = await this.#failingAnyway(mutation.built)
    if (failed) return { is: 'fails unbroken', said: failed }
    const path = join(this.#folder, mutation.file)
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, broken(text, mutation) ?? text)
    try {
      return (await this.#built()) ?? (await this.#run(mutation.built)) ?? { is: 'survived' }
    } finally {
      writeFileSync(path, text)
    }
  }

  async #failingAnyway(tests) {
    if (this.#unbroken.size === 0) {
      const wrong = await this.#built()
      for (const test of this.#named) this.#unbroken.set(test, wrong ?? (await this.#run([test])))
    }
    const failed = tests.find((test) => this.#unbroken.get(test))
    return failed && `${failed}: ${this.#unbroken.get(failed).said}`
  }

  async #built() {
    const { code, output } = await this.#go('vite', ['build', '--app', '--logLevel', 'warn'])
    return code === 0 ? undefined : { is: 'not built', said: /^.*Error: .*$/m.exec(output)?.[0] ?? output.slice(-300) }
  }

  /** The first test that fails; undefined when all pass. */
  async #run(tests) {
    for (const test of tests) {
      const [file, title] = test.split(' > ')
      const report = join(this.#folder, 'report.json')
      rmSync(report, { force: true })
      const { output } =
        partsOf(file)[0] === 'flows' ? await this.#specs(file, title, report) : await this.#tests(file, title, report)
      if (!existsSync(report)) return { is: 'not run', said: output.slice(-300) }
      const all = resultsIn(JSON.parse(readFileSync(report, 'utf8')))
      if (all.length === 0) return { is: 'not run', said: `There is no test ${test}` }
      const failed = all
        .filter(({ error }) => error)
        .map(({ title, error }) => ({ is: failureOf(error), title, said: error.message }))
      if (failed.length > 0) return failed.find(({ is }) => NOTICED.has(is)) ?? failed[0]
    }
  }

  #specs(file, title, report) {
    const project = /\/electron-/.test(file) ? 'electron' : 'web'
    const config = ['--config', 'e2e/playwright.config.ts', '--project', project, '--workers', '1', '--reporter', 'json']
    return this.#go('playwright', ['test', ...config, file, ...(title ? ['-g', title] : [])], {
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    })
  }

  #tests(file, title, report) {
    const config = ['--config', 'e2e/vitest.config.ts', '--project', 'interop', '--reporter', 'json', '--outputFile', report]
    return this.#go('vitest', ['run', ...config, file, ...(title ? ['-t', title] : [])])
  }

  #go(program, words, env = {}) {
    const PATH = `${join(this.#folder, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`
    return run(program, words, { cwd: this.#folder, env: { PATH, ...env }, quiet: true })
  }
}

/** Each test of a report of Playwright or vitest that ran, with the error that failed it. */
function resultsIn(report) {
  const specs = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specs)]
  return [
    ...(report.suites ?? []).flatMap(specs).map(({ title, ok, tests }) => {
      const [error] = tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors))
      return { title, error: ok ? undefined : errorIn(error?.message) }
    }),
    ...(report.testResults ?? [])
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ title, status, failureMessages }) => ({
        title,
        error: status === 'passed' ? undefined : errorIn(failureMessages[0]),
      })),
  ]
}

/** The error of a report, which has it as text: "Error: expect(locator).toBeVisible() failed", "AssertionError: expected …". */
function errorIn(text = '') {
  const plain = stripVTControlCharacters(text)
  const [, name, message] = /^(\w*Error): (.*)$/s.exec(plain) ?? ['', '', plain]
  return { name: /^expect[.(]/.test(message) ? 'AssertionError' : name, message }
}
