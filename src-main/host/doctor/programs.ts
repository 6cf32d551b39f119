import type { Remedy } from '../../../src-shared/contract/errors.ts'
import { programName } from '../launch/launched-code.ts'

/** A program that people must install before a server can run. */
interface Program {
  readonly names: readonly string[]
  readonly title: string
  readonly page: string
  /** Terminal commands by `process.platform`. */
  readonly commands?: Readonly<Record<string, string>>
}

const PROGRAMS: readonly Program[] = [
  {
    names: ['node', 'nodejs', 'npm', 'npx', 'corepack'],
    title: 'Node.js',
    page: 'https://nodejs.org/en/download',
    commands: { darwin: 'brew install node', win32: 'winget install OpenJS.NodeJS.LTS' },
  },
  {
    names: ['uv', 'uvx'],
    title: 'uv',
    page: 'https://docs.astral.sh/uv/getting-started/installation/',
    commands: {
      darwin: 'brew install uv',
      win32: 'winget install astral-sh.uv',
      linux: 'curl -LsSf https://astral.sh/uv/install.sh | sh',
    },
  },
  {
    names: ['python', 'python3', 'py', 'pip'],
    title: 'Python',
    page: 'https://www.python.org/downloads/',
    commands: { darwin: 'brew install python', win32: 'winget install Python.Python.3.13' },
  },
  {
    names: ['docker'],
    title: 'Docker',
    page: 'https://docs.docker.com/get-started/get-docker/',
    commands: { darwin: 'brew install --cask docker', win32: 'winget install Docker.DockerDesktop' },
  },
  {
    names: ['bun', 'bunx'],
    title: 'Bun',
    page: 'https://bun.sh/docs/installation',
    commands: {
      darwin: 'curl -fsSL https://bun.sh/install | bash',
      linux: 'curl -fsSL https://bun.sh/install | bash',
      win32: 'powershell -c "irm bun.sh/install.ps1|iex"',
    },
  },
  {
    names: ['deno'],
    title: 'Deno',
    page: 'https://docs.deno.com/runtime/getting_started/installation/',
    commands: {
      darwin: 'brew install deno',
      win32: 'winget install DenoLand.Deno',
      linux: 'curl -fsSL https://deno.land/install.sh | sh',
    },
  },
  { names: ['pnpm', 'pnpx'], title: 'pnpm', page: 'https://pnpm.io/installation' },
  { names: ['yarn'], title: 'Yarn', page: 'https://yarnpkg.com/getting-started/install' },
  { names: ['pipx'], title: 'pipx', page: 'https://pipx.pypa.io/stable/installation/' },
  { names: ['podman'], title: 'Podman', page: 'https://podman.io/docs/installation' },
  { names: ['java'], title: 'Java', page: 'https://adoptium.net/installation/' },
  { names: ['dotnet'], title: '.NET', page: 'https://dotnet.microsoft.com/download' },
  { names: ['ruby'], title: 'Ruby', page: 'https://www.ruby-lang.org/en/documentation/installation/' },
  { names: ['go'], title: 'Go', page: 'https://go.dev/doc/install' },
  { names: ['git'], title: 'Git', page: 'https://git-scm.com/downloads' },
]

function programOf(command: string): Program | undefined {
  const name = programName(command, 'win32')
  return PROGRAMS.find(({ names }) => names.includes(name))
}

/** The name that people know: Node.js for npx. */
export const programTitle = (command: string): string | undefined => programOf(command)?.title

export function installRemedy(named: string, os: string): readonly Remedy[] {
  const program = programOf(named)
  if (!program) return []
  const { title, page, commands = {} } = program
  const command = commands[os]
  return [{ is: 'install', program: title, ...(command !== undefined && { command }), page }]
}
