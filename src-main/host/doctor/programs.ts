import type { Remedy } from '../../../src-shared/contract/errors.ts'
import { programName } from '../launch/launched-code.ts'

/** A program that people must install before a server can run. */
interface Program {
  readonly title: string
  readonly page: string
  /** Terminal commands by `process.platform`. */
  readonly commands: Readonly<Record<string, string>>
}

const NODE: Program = {
  title: 'Node.js',
  page: 'https://nodejs.org/en/download',
  commands: { darwin: 'brew install node', win32: 'winget install OpenJS.NodeJS.LTS' },
}
const UV: Program = {
  title: 'uv',
  page: 'https://docs.astral.sh/uv/getting-started/installation/',
  commands: {
    darwin: 'brew install uv',
    win32: 'winget install astral-sh.uv',
    linux: 'curl -LsSf https://astral.sh/uv/install.sh | sh',
  },
}
const PYTHON: Program = {
  title: 'Python',
  page: 'https://www.python.org/downloads/',
  commands: { darwin: 'brew install python', win32: 'winget install Python.Python.3.13' },
}
const DOCKER: Program = {
  title: 'Docker',
  page: 'https://docs.docker.com/get-started/get-docker/',
  commands: { darwin: 'brew install --cask docker', win32: 'winget install Docker.DockerDesktop' },
}
const BUN: Program = {
  title: 'Bun',
  page: 'https://bun.sh/docs/installation',
  commands: {
    darwin: 'curl -fsSL https://bun.sh/install | bash',
    linux: 'curl -fsSL https://bun.sh/install | bash',
    win32: 'powershell -c "irm bun.sh/install.ps1|iex"',
  },
}
const DENO: Program = {
  title: 'Deno',
  page: 'https://docs.deno.com/runtime/getting_started/installation/',
  commands: {
    darwin: 'brew install deno',
    win32: 'winget install DenoLand.Deno',
    linux: 'curl -fsSL https://deno.land/install.sh | sh',
  },
}
const page = (title: string, page: string): Program => ({ title, page, commands: {} })

/** Programs by the name of a command. */
const PROGRAMS: Readonly<Record<string, Program>> = {
  ...{ node: NODE, nodejs: NODE, npm: NODE, npx: NODE, corepack: NODE },
  ...{ uv: UV, uvx: UV, python: PYTHON, python3: PYTHON, py: PYTHON, pip: PYTHON },
  ...{ docker: DOCKER, bun: BUN, bunx: BUN, deno: DENO },
  pnpm: page('pnpm', 'https://pnpm.io/installation'),
  pnpx: page('pnpm', 'https://pnpm.io/installation'),
  yarn: page('Yarn', 'https://yarnpkg.com/getting-started/install'),
  pipx: page('pipx', 'https://pipx.pypa.io/stable/installation/'),
  podman: page('Podman', 'https://podman.io/docs/installation'),
  java: page('Java', 'https://adoptium.net/installation/'),
  dotnet: page('.NET', 'https://dotnet.microsoft.com/download'),
  ruby: page('Ruby', 'https://www.ruby-lang.org/en/documentation/installation/'),
  go: page('Go', 'https://go.dev/doc/install'),
  git: page('Git', 'https://git-scm.com/downloads'),
}

const programOf = (command: string): Program | undefined => PROGRAMS[programName(command, 'win32').toLowerCase()]

/** The name that people know: Node.js for npx. */
export const programTitle = (command: string): string | undefined => programOf(command)?.title

/** The remedy that installs a known program. */
export function installRemedy(command: string, os: string): readonly Remedy[] {
  const program = programOf(command)
  if (!program) return []
  const { title, commands } = program
  const typed = commands[os]
  return [{ is: 'install', program: title, ...(typed !== undefined && { command: typed }), page: program.page }]
}
