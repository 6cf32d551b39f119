import { access, constants, open, stat } from 'node:fs/promises'
import path from 'node:path'
import { resolveCommand } from './resolve-command.ts'

/** The reason why an existing file cannot be run as a program. */
export type ProgramFault =
  | { readonly is: 'folder-missing'; readonly folder: string }
  | { readonly is: 'folder'; readonly file: string }
  | { readonly is: 'not-executable'; readonly file: string }
  | { readonly is: 'empty'; readonly file: string }
  /** The first line of a script names a missing program; `windowsLines` when only because of a Windows line end. */
  | { readonly is: 'no-interpreter'; readonly file: string; readonly interpreter: string; readonly windowsLines: boolean }
  /** A text without a `#!` line. */
  | { readonly is: 'no-shebang'; readonly file: string }
  /** A script for a Windows shell, by its extension. */
  | { readonly is: 'windows-script'; readonly file: string }
  | { readonly is: 'other-system'; readonly file: string; readonly theirs: string }
  | { readonly is: 'other-processor'; readonly file: string; readonly theirs: string }

export interface ProgramPlace {
  readonly cwd: string
  /** Has the PATH and PATHEXT of the program. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** `process.platform` and `process.arch`. */
  readonly os: string
  readonly arch: string
}

const HEAD_BYTES = 512

/** Checks a program file without running it; undefined when nothing is wrong. */
export async function programFault(file: string, place: ProgramPlace): Promise<ProgramFault | undefined> {
  const { cwd, os } = place
  if (!(await isFolder(cwd))) return { is: 'folder-missing', folder: cwd }
  if (await isFolder(file)) return { is: 'folder', file }
  const head = await headOf(file)
  if (!head) return undefined
  const executable = os === 'win32' || (await access(file, constants.X_OK).then(...yesOrNo))
  if (!executable) return { is: 'not-executable', file }
  if (head.length === 0) return { is: 'empty', file }
  const script = shebangIn(head)
  if (script) return os === 'win32' ? undefined : scriptFault(file, script, place)
  const made = madeFor(head)
  if (made) return binaryFault(file, made, place)
  const isText = !head.includes(0)
  if (os !== 'win32' && isText && /\.(?:cmd|bat|ps1)$/i.test(file)) return { is: 'windows-script', file }
  return os !== 'win32' && isText ? { is: 'no-shebang', file } : undefined
}

/** True if the interpreter of a script is missing on its PATH. */
export async function lacksInterpreter(file: string, place: ProgramPlace): Promise<boolean> {
  const script = place.os === 'win32' ? undefined : shebangIn((await headOf(file)) ?? Buffer.alloc(0))
  return script !== undefined && (await scriptFault(file, script, place)) !== undefined
}

const yesOrNo = [() => true, () => false] as const
const isFolder = (file: string) =>
  stat(file).then(
    (found) => found.isDirectory(),
    () => false,
  )

async function headOf(file: string): Promise<Buffer | undefined> {
  try {
    await using handle = await open(file)
    if (!(await handle.stat()).isFile()) return undefined
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } catch {
    return undefined // Starting the program will show the reason.
  }
}

interface Shebang {
  /** A path, or a name that `env` looks for. */
  readonly interpreter: string
  readonly windowsLines: boolean
}

function shebangIn(head: Buffer): Shebang | undefined {
  const [line = ''] = head.toString('latin1').split('\n', 1)
  if (!line.startsWith('#!')) return undefined
  const windowsLines = line.endsWith('\r')
  const [program = '', ...words] = line.slice(2).trim().split(/\s+/)
  if (path.posix.basename(program) !== 'env') return { interpreter: program, windowsLines }
  const named = words.find((word) => !word.startsWith('-') && !word.includes('='))
  return { interpreter: named ?? program, windowsLines }
}

async function scriptFault(file: string, { interpreter, windowsLines }: Shebang, place: ProgramPlace) {
  if (windowsLines) return { is: 'no-interpreter', file, interpreter, windowsLines } as const
  const found = await resolveCommand(interpreter, place.env, place.cwd, place.os)
  return 'path' in found ? undefined : ({ is: 'no-interpreter', file, interpreter, windowsLines } as const)
}

/** The system and processors of a binary, as `process.platform` and `process.arch`. */
interface MadeFor {
  readonly os: string
  readonly archs: readonly string[]
}

const ELF: Readonly<Record<number, string>> = {
  3: 'ia32',
  40: 'arm',
  62: 'x64',
  183: 'arm64',
  243: 'riscv64',
  21: 'ppc64',
  22: 's390x',
}
const MACH_O: Readonly<Record<number, string>> = { 16777223: 'x64', 16777228: 'arm64', 7: 'ia32' }
const PE: Readonly<Record<number, string>> = { 332: 'ia32', 34404: 'x64', 43620: 'arm64' }

function madeFor(head: Buffer): MadeFor | undefined {
  if (head.length < 20) return undefined
  const magic = head.readUInt32BE(0)
  if (magic === 0x7f454c46) {
    const machine = head[5] === 2 ? head.readUInt16BE(18) : head.readUInt16LE(18)
    return { os: 'linux', archs: [ELF[machine] ?? `machine ${machine}`] }
  }
  if (magic === 0xcffaedfe) return { os: 'darwin', archs: [MACH_O[head.readUInt32LE(4)] ?? 'another'] }
  if (magic === 0xcafebabe && head.readUInt32BE(4) < 10) {
    const archs = Array.from({ length: head.readUInt32BE(4) }, (_, at) => head.readUInt32BE(8 + 20 * at))
    return { os: 'darwin', archs: archs.map((cpu) => MACH_O[cpu] ?? 'another') }
  }
  if (head.toString('latin1', 0, 2) === 'MZ') {
    const at = head.length >= 64 ? head.readUInt32LE(60) : HEAD_BYTES
    return { os: 'win32', archs: at + 6 <= head.length ? [PE[head.readUInt16LE(at + 4)] ?? 'another'] : [] }
  }
  return undefined
}

/** Other code that a processor runs, by emulation or compatibility. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  'darwin arm64': ['x64'],
  'win32 arm64': ['x64', 'ia32'],
  'win32 x64': ['ia32'],
  'linux x64': ['ia32'],
  'linux arm64': ['arm'],
}

const SYSTEMS: Readonly<Record<string, string>> = { linux: 'Linux', darwin: 'macOS', win32: 'Windows' }

function binaryFault(file: string, made: MadeFor, { os, arch }: ProgramPlace): ProgramFault | undefined {
  const known = Object.keys(SYSTEMS)
  if (known.includes(os) && made.os !== os) return { is: 'other-system', file, theirs: SYSTEMS[made.os] ?? made.os }
  const runs = [arch, ...(ALSO[`${os} ${arch}`] ?? [])]
  const [theirs] = made.archs
  return theirs === undefined || made.archs.some((one) => runs.includes(one))
    ? undefined
    : { is: 'other-processor', file, theirs }
}
