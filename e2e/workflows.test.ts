import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { root } from './scripts/run.mjs'

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly if?: string
  readonly with?: Readonly<Record<string, unknown>>
  readonly env?: Readonly<Record<string, string>>
}

interface Job {
  readonly uses?: string
  readonly needs?: string | readonly string[]
  readonly steps?: readonly Step[]
  readonly permissions?: Readonly<Record<string, string>>
  readonly strategy?: { readonly matrix: { readonly os: readonly string[] } }
  readonly 'timeout-minutes'?: number
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>
  readonly permissions: Readonly<Record<string, string>>
  readonly jobs: Readonly<Record<string, Job>>
}

const folder = join(root, '.github', 'workflows')
const workflows = readdirSync(folder).map((name): [string, Workflow] => [name, parse(readFileSync(join(folder, name), 'utf8'))])
const [ci, release] = ['ci.yml', 'release.yml'].map((name) => workflows.find(([file]) => file === name)?.[1])
const stepsOf = (job: Job | undefined) => job?.steps ?? []
const runsOf = (job: Job | undefined) => stepsOf(job).flatMap(({ run }) => run ?? [])
const usesOf = (job: Job | undefined, action: string) => stepsOf(job).find(({ uses }) => uses?.startsWith(`${action}@`))
const THREE = ['ubuntu-latest', 'windows-latest', 'macos-latest']

describe.each(workflows)('the workflow %s', (_name, workflow) => {
  it('may only read, unless a job says otherwise', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' })
    const writers = Object.entries(workflow.jobs).filter(([, job]) => job.permissions)
    expect(writers.map(([name]) => name)).toEqual(workflow === release ? ['draft'] : [])
  })

  it('uses only GitHub’s own actions, by commit, and files of ours', () => {
    const used = Object.values(workflow.jobs).flatMap((job) =>
      [job.uses ?? [], ...stepsOf(job).map(({ uses }) => uses ?? [])].flat(),
    )
    expect(used.length).toBeGreaterThan(0)
    expect(used.filter((name) => !/^(actions\/[\w-]+@[0-9a-f]{40}|\.\/\.github\/workflows\/\w+\.yml)$/.test(name))).toEqual([])
  })

  it('leaves no token in a checkout, inserts nothing into a script and ends in time', () => {
    for (const [name, job] of Object.entries(workflow.jobs)) {
      for (const step of stepsOf(job)) {
        if (step.uses?.startsWith('actions/checkout')) expect(step.with).toMatchObject({ 'persist-credentials': false })
        // The text of a tag, a branch or a title would be run.
        expect(step.run ?? '', name).not.toContain('${{')
      }
      if (job.steps) expect(job['timeout-minutes'], name).toBeLessThanOrEqual(60)
    }
    expect(workflow.on).not.toHaveProperty('pull_request_target')
  })

  it('needs only jobs that it has', () => {
    for (const job of Object.values(workflow.jobs)) {
      for (const name of [job.needs ?? []].flat()) expect(Object.keys(workflow.jobs)).toContain(name)
    }
  })
})

describe('a release', () => {
  it('begins with a tag, and waits for every test, those on Electron of three systems and a clean machine among them', () => {
    expect(release?.on).toEqual({ push: { tags: ['v*'] } })
    expect(ci?.on).toHaveProperty('workflow_call')
    expect(release?.jobs.tests?.uses).toBe('./.github/workflows/ci.yml')
    for (const name of ['packages', 'tarball']) expect(release?.jobs[name]?.needs).toBe('tests')
    expect(ci?.jobs.electron?.strategy?.matrix.os).toEqual(THREE)
    expect(runsOf(ci?.jobs.electron)).toEqual(expect.arrayContaining(['npx install-electron', 'npm run test:electron']))
    expect(usesOf(ci?.jobs['clean-machine'], 'actions/setup-node')?.with).toEqual({ 'node-version': '20.19' })
    expect(runsOf(ci?.jobs['clean-machine'])).toContain('npm run clean-machine')
  })

  it('builds on each system what electron-builder.yml names for it, and keeps all of it', () => {
    const { packages } = release?.jobs ?? {}
    expect(packages?.strategy?.matrix.os).toEqual(THREE)
    expect(runsOf(packages).join('\n')).toContain('npm run package -- --publish never')
    const kept = String(usesOf(packages, 'actions/upload-artifact')?.with?.path).trim().split(/\s+/)
    const config = parse(readFileSync(join(root, 'electron-builder.yml'), 'utf8')) as Record<
      string,
      { target?: { target: string }[] }
    >
    const targets = ['linux', 'mac', 'win'].flatMap((system) => config[system]?.target ?? []).map(({ target }) => target)
    expect(targets.map((target) => `dist/*.${target === 'nsis' ? 'exe' : target}`).sort()).toEqual(kept.sort())
  })

  it('starts its packages, has them make a tool call, and expects a clean end, on each system', () => {
    const { packages } = release?.jobs ?? {}
    const runs = runsOf(packages)
    const packed = runs.findIndex((run) => run.includes('npm run package'))
    const tried = stepsOf(packages).filter(({ run }) => run?.includes('npm run test:package'))
    expect(tried.map(({ if: on, run }) => [on, run])).toEqual([
      ["runner.os == 'Linux'", 'xvfb-run --auto-servernum npm run test:package'],
      ["runner.os != 'Linux'", 'npm run test:package'],
    ])
    expect(runs.findIndex((run) => run.includes('npm run test:package'))).toBeGreaterThan(packed)
    // Nothing is kept of what did not start.
    expect(stepsOf(packages).at(-1)?.uses).toContain('actions/upload-artifact')
  })

  it('asks for certificates only on their system, and signs with nothing that it happens to find', () => {
    const env = stepsOf(release?.jobs.packages).find(({ run }) => run?.includes('npm run package'))?.env ?? {}
    expect(env.CSC_IDENTITY_AUTO_DISCOVERY).toBe('false')
    const secret = Object.entries(env).filter(([, value]) => value.includes('secrets.'))
    for (const [name, value] of secret) {
      expect(value).toContain(`runner.os == '${name.startsWith('WIN_') ? 'Windows' : 'macOS'}' && secrets.`)
    }
    expect(secret.map(([name]) => name)).toEqual(expect.arrayContaining(['CSC_LINK', 'WIN_CSC_LINK', 'APPLE_ID']))
    const elsewhere = JSON.stringify(Object.values(release?.jobs ?? {}).map(stepsOf)).match(/secrets\./g)
    expect(elsewhere).toHaveLength(secret.length)
  })

  it('drafts with checksums, provenance, the tarball, the licences and the bill of materials', () => {
    const { draft, tarball } = release?.jobs ?? {}
    expect(draft?.needs).toEqual(['packages', 'tarball'])
    expect(runsOf(tarball)).toContain('npm pack')
    const kept = String(usesOf(tarball, 'actions/upload-artifact')?.with?.path)
    expect(kept.trim().split(/\s+/)).toEqual(['parley-*.tgz', 'lists/*'])
    expect(runsOf(tarball).join('\n')).toMatch(/cp out\/THIRD-PARTY-NOTICES\.txt lists\/ .*cp out\/sbom\.cdx\.json "lists\//)
    expect(runsOf(draft).join('\n')).toContain('sha256sum -- * > SHA256SUMS.txt')
    expect(usesOf(draft, 'actions/attest-build-provenance')?.with).toEqual({ 'subject-path': 'packages/*' })
    expect(draft?.permissions).toEqual({ contents: 'write', 'id-token': 'write', attestations: 'write' })
    // A Mac with Apple's processor opens what nobody signed by its settings alone.
    expect(stepsOf(draft).at(-1)?.env?.NOTES).toContain('Open Anyway')
    expect(runsOf(draft).at(-1)).toContain('gh release create "$GITHUB_REF_NAME" --draft --verify-tag')
  })
})
