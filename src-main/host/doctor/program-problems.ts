import { MAX_WORDS, type Problem, type Remedy } from '../../../src-shared/contract/errors.ts'
import { type ProgramFault, type ProgramPlace, programFault } from '../../transports/program-file.ts'
import type { FoundProgram } from '../launch/launch-identity.ts'
import { installRemedy, programTitle } from './programs.ts'
import { foundElsewhere } from './usual-places.ts'

const EDIT_COMMAND: Remedy = { is: 'edit', field: 'command' }
const EDIT = 'in “Edit server”'
/** Folders of a PATH that a problem lists. */
const MAX_NAMED = 12

export async function notFoundProblem(command: string, program: FoundProgram | undefined, place: ProgramPlace): Promise<Problem> {
  const searched = program?.searched ?? []
  const [only] = searched
  if (place.os !== 'win32' && /^(?:[A-Za-z]:[\\/]|\\\\)/.test(command)) {
    const what = `“${command}” is a Windows path.`
    return { code: 'command-not-found', what, todo: `Enter the program for this computer ${EDIT}.`, remedies: [EDIT_COMMAND] }
  }
  const typed = commandLine(command)
  if (typed) {
    const what = `There is no program “${command}”: the command contains its arguments.`
    const remedies: Remedy[] = [{ is: 'use-words', ...typed }, EDIT_COMMAND]
    return { code: 'command-not-found', what, todo: 'Put the arguments into their own field.', remedies }
  }
  if (command.includes('/') || (place.os === 'win32' && command.includes('\\'))) {
    const fault = only === undefined ? undefined : await programFault(only, place)
    if (fault) return faultProblem(fault, place)
    const what = `There is no program at “${only ?? command}”.`
    return { code: 'command-not-found', what, todo: `Correct the path ${EDIT}.`, remedies: [EDIT_COMMAND] }
  }
  const where = searched.length === 0 ? 'PATH is empty' : `Searched ${searched.slice(0, MAX_NAMED).join(', ')}`
  const title = programTitle(command)
  const what =
    title === undefined || title.toLowerCase() === command.toLowerCase()
      ? `“${command}” was not found.`
      : `“${command}” was not found: it comes with ${title}.`
  const elsewhere = await foundElsewhere(command, place.env, place.os)
  if (elsewhere !== undefined) {
    const remedies: Remedy[] = [{ is: 'use-command', command: elsewhere }, EDIT_COMMAND]
    return { code: 'command-not-found', what, said: `${where}.`, todo: `It is at “${elsewhere}”. Use that path.`, remedies }
  }
  const again = place.os === 'win32' ? ', then quit Parley and open it again' : ', then start the server again'
  const todo =
    title === undefined ? `Install it, or set its full path ${EDIT}.` : `Install ${title}${again}, or set the full path ${EDIT}.`
  return {
    code: 'command-not-found',
    what,
    said: `${where}.`,
    todo,
    remedies: [...installRemedy(command, place.os), EDIT_COMMAND],
  }
}

/** The words of a command line that was typed as the command; undefined if it is one word, or needs a shell to be split. */
function commandLine(command: string): { readonly command: string; readonly args: readonly string[] } | undefined {
  if (!/^\S+\s+\S/.test(command) || /[\\$`|&;<>()*?]/.test(command)) return undefined
  const words = [...command.matchAll(/"([^"]*)"|'([^']*)'|([^\s"']+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  )
  const [program, ...args] = words
  return program && args.length > 0 && args.length <= MAX_WORDS ? { command: program, args } : undefined
}

export function faultProblem(fault: ProgramFault, { os, arch }: ProgramPlace): Problem {
  switch (fault.is) {
    case 'folder-missing': {
      const what = `Its working folder “${fault.folder}” does not exist.`
      const todo = `Create the folder, or choose another ${EDIT}.`
      return { code: 'folder-missing', what, todo, remedies: [{ is: 'edit', field: 'cwd' }] }
    }
    case 'folder': {
      const what = `“${fault.file}” is a folder, not a program.`
      return { code: 'not-a-program', what, todo: `Enter the program in it ${EDIT}.`, remedies: [EDIT_COMMAND] }
    }
    case 'empty': {
      const what = `“${fault.file}” is empty.`
      return { code: 'not-a-program', what, todo: `Install it again, or enter another ${EDIT}.`, remedies: [EDIT_COMMAND] }
    }
    case 'not-executable': {
      const what = `“${fault.file}” is not executable.`
      const remedies = [...runOn('chmod +x', fault.file), EDIT_COMMAND]
      return { code: 'not-executable', what, todo: 'Make it executable, then start the server again.', remedies }
    }
    case 'no-interpreter': {
      const { file, interpreter } = fault
      if (fault.windowsLines) {
        const what = `“${file}” has Windows line endings, so “${interpreter}” is not found.`
        const remedies = [...runOn(`perl -pi -e 's/\\r$//'`, file), EDIT_COMMAND]
        return { code: 'no-interpreter', what, todo: 'Save it with Unix line endings, then start the server again.', remedies }
      }
      const title = programTitle(interpreter) ?? `“${interpreter}”`
      const what = `“${file}” is a script for ${title}, which was not found.`
      const remedies: Remedy[] = [...installRemedy(interpreter, os), EDIT_COMMAND]
      return { code: 'no-interpreter', what, todo: `Install ${title}, or correct the first line of the script.`, remedies }
    }
    case 'no-shebang': {
      const what = `“${fault.file}” is a script that does not name its interpreter.`
      const todo = `Set its interpreter as the command, such as node or python3, and the file as the first argument, ${EDIT}.`
      return { code: 'no-shebang', what, todo, remedies: [EDIT_COMMAND] }
    }
    case 'windows-script': {
      const what = `“${fault.file}” is a script for Windows.`
      return { code: 'windows-script', what, todo: `Enter the one for this system ${EDIT}.`, remedies: [EDIT_COMMAND] }
    }
    case 'other-system': {
      const what = `“${fault.file}” is a program for ${fault.theirs}.`
      return { code: 'wrong-architecture', what, todo: 'Install the one for this system.', remedies: [EDIT_COMMAND] }
    }
    case 'other-processor': {
      const what = `“${fault.file}” is a program for ${fault.theirs} processors; this computer has ${arch}.`
      return { code: 'wrong-architecture', what, todo: `Install the one for ${arch}.`, remedies: [EDIT_COMMAND] }
    }
  }
}

/** A terminal command for a file; none for a name with control characters, which could run something else when pasted. */
function runOn(command: string, file: string): readonly Remedy[] {
  if (/\p{Cc}/u.test(file)) return []
  const word = /^[\w@%+=:,./-]+$/.test(file) ? file : `'${file.replaceAll("'", `'\\''`)}'`
  return [{ is: 'run', command: `${command} ${word}` }]
}
