// Breaks a duty in a copy of the project, builds that, and runs what starts the build: what the bundler does to the code must not hide it.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { partsOf } from '../scripts/parts.mjs'
import { root, run } from '../scripts/run.mjs'
import { broken } from './list.mjs'

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
  /** How tests ended without a break, by their names. */
  #unbroken = new Map()

  constructor() {
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
    const left = tests.filter((test) => !this.#unbroken.has(test))
    const wrong = left.length > 0 ? await this.#built() : undefined
    for (const test of left) this.#unbroken.set(test, wrong ?? (await this.#run([test])))
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
      const failed = all.find(({ passed }) => !passed)
      if (failed) return { is: 'failed', title: failed.title, said: failed.said }
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

/** Each test of a report of Playwright or vitest that ran, whether it passed, and what it said. */
function resultsIn(report) {
  const specs = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specs)]
  return [
    ...(report.suites ?? []).flatMap(specs).map(({ title, ok, tests }) => {
      const said = tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors.map(({ message }) => message)))
      return { title, passed: ok, said: said[0] ?? '' }
    }),
    ...(report.testResults ?? [])
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ title, status, failureMessages }) => ({ title, passed: status === 'passed', said: failureMessages[0] ?? '' })),
  ]
}
