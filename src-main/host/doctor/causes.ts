import type { Remedy } from '../../../src-shared/contract/errors.ts'
import { installRemedy } from './programs.ts'

/** A cause of failure, recognized by the messages of runtimes, libraries and package managers. */
export interface KnownCause {
  readonly code: string
  /** Continues a sentence that begins with the server's name. */
  readonly what: string
  readonly todo: string
  readonly remedies: readonly Remedy[]
}

interface Row {
  readonly code: string
  readonly when: RegExp
  /** A function receives the variable or program that the first matching group names. */
  readonly what: string | ((named: string) => string)
  readonly todo: string | ((named: string) => string)
  readonly remedies?: readonly Remedy[] | ((named: string, os: string) => readonly Remedy[])
}

/**
 * A pattern in upper and lower case. The modifier `(?i:…)` would say it, but V8 misreads it where it does not optimize patterns, as in
 * a process that has compiled many.
 */
const inAnyCase = (pattern: string) => pattern.replace(/(?<!\\)[a-z]/gi, (c) => `[${c.toLowerCase()}${c.toUpperCase()}]`)

/** A variable's name, but not the error codes of Node and gRPC, which look alike. */
const VARIABLE = '\\b((?!ERR_|INVALID_ARGUMENT|PERMISSION_DENIED|FAILED_PRECONDITION|NOT_FOUND)[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\\b'
const ANY_NAME = '([A-Z][A-Z0-9]+|[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+)'
const ENVIRONMENT = inAnyCase('\\benv(?:ironment)?[ -]?var(?:iable)?s?\\b')
/** A name in capitals, or any name that the text calls an environment variable. */
const NAMED = `(?:${VARIABLE}|${ENVIRONMENT}:?\\s+["'\`$]*${ANY_NAME}\\b|\\b${ANY_NAME}["'\`]*\\s+${ENVIRONMENT})`
const MISSED = inAnyCase('(?:not (?:set|found|defined|provided|present|specified)|required|missing|must be|undefined|is empty)')
const WANTED = inAnyCase('\\b(?:missing|requires?|required|set(?! propert)|provide|define|specify|KeyError|needs?)\\b')
/** Complaints of argument parsers. */
const ARGUMENTS = [
  'unknown (?:option|argument|command|(?:shorthand )?flag)',
  'un(?:recognized|expected) arguments?',
  'required (?:positional |keyword-only )?(?:argument|option|flag)',
  'missing (?:argument|option)',
  'arguments are required',
  'flag provided but not defined',
]
const MAX_NAME_LENGTH = 100
const EDIT = 'in “Edit server”, then start it again.'

const ARGS: Remedy = { is: 'edit', field: 'args' }
const ENV: Remedy = { is: 'edit', field: 'env' }
const AGAIN: Remedy = { is: 'start' }

/** Remedies for a Docker that is not running. */
export const startDocker = (os: string): readonly Remedy[] =>
  os === 'linux' ? [AGAIN, { is: 'run', command: 'sudo systemctl start docker' }] : [AGAIN]

const badArguments = {
  code: 'bad-arguments',
  what: 'does not take its arguments.',
  todo: `Its arguments are not what it expects. Correct them ${EDIT}`,
  remedies: [ARGS],
} as const

const variable = {
  code: 'variable-missing',
  what: (name: string) => `needs the variable ${name}.`,
  todo: (name: string) => `Set the variable ${name} ${EDIT}`,
  remedies: (name: string): readonly Remedy[] => (name.length > MAX_NAME_LENGTH ? [ENV] : [{ is: 'set-variable', name }]),
}

/** The first match counts, so the most specific rows come first. */
const ROWS: readonly Row[] = [
  {
    code: 'docker-stopped',
    when: /cannot connect to the docker daemon|docker daemon is not running|docker_engine|failed to connect to the docker API/i,
    what: 'needs Docker, which is not running.',
    todo: 'Docker is not running. Start it, then start the server again.',
    remedies: (_named, os) => startDocker(os),
  },
  {
    code: 'runtime-old',
    when: /unsupported engine|EBADENGINE|EBADPLATFORM|requires? (?:a different )?(node|python|bun|deno)\b|Requires-(Python)|ERR_UNKNOWN_BUILTIN_MODULE|No such built-in module|ERR_REQUIRE_ESM|UnsupportedClassVersionError|does not satisfy Python|GLIBC_\d/i,
    what: 'needs another version of its runtime.',
    todo: 'It may need a newer version of its runtime. Update that, or choose another version of the server.',
    remedies: (named, os) => [...installRemedy(named || 'node', os), ARGS],
  },
  {
    code: 'runtime-old',
    // A syntax error in a JSON file says nothing about the runtime.
    when: /^(?!.*JSON).*(?:unexpected token|SyntaxError)/is,
    what: 'uses code that its runtime does not support.',
    todo: 'It may need a newer version of its runtime. Update that, or choose another version of the server.',
    remedies: (_named, os) => [...installRemedy('node', os), ARGS],
  },
  {
    code: 'no-terminal',
    when: /input device is not a TTY|stdin is not a (?:tty|terminal)|not a terminal device/i,
    what: 'needs a terminal, which servers do not have.',
    todo: 'Remove -t from its arguments (-it becomes -i).',
    remedies: [ARGS],
  },
  {
    code: 'wrong-architecture',
    when: /exec format error|bad CPU type|cannot execute binary file|not a valid Win32 application|not compatible with the version of Windows|invalid ELF header|incompatible architecture/i,
    what: 'was built for another system or processor.',
    todo: 'Install the one for this computer.',
    remedies: [{ is: 'edit', field: 'command' }],
  },
  {
    code: 'runtime-missing',
    when: /No version is set for command|Volta error|mise ERROR|nodenv: version|pyenv: (?:version|\S+: command not found)|xcode-select: (?:note|error)|Python was not found; run without arguments/i,
    what: 'found no version of its runtime.',
    todo: 'Install one, or choose one in your version manager. Then start it again.',
    remedies: [AGAIN, { is: 'open-log' }],
  },
  {
    code: 'its-certificate',
    when: /self.signed|unable to (?:get local issuer|verify).*certificate|CERTIFICATE_VERIFY_FAILED|certificate has expired|x509:|UnknownIssuer/i,
    what: 'does not trust the certificate of the service that it connects to.',
    todo: 'It does not trust the certificate of the service that it connects to. Check that address, and the clock of this computer.',
    remedies: [{ is: 'open-settings', section: 'network' }, ENV],
  },
  {
    code: 'download-failed',
    when: /npm (?:error|ERR!) (?:FetchError|network|code (?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT))|(?:request to|GET) https?:\/\/registry\S* failed|error sending request for url|Failed to (?:fetch|download)|error pulling image|TLS handshake timeout/i,
    what: 'could not be downloaded.',
    todo: 'Check the network and its proxy, then start it again.',
    remedies: [AGAIN, { is: 'open-settings', section: 'network' }],
  },
  {
    code: 'its-connection-refused',
    when: /ECONNREFUSED|connection refused|actively refused/i,
    what: 'cannot reach the service that it connects to.',
    todo: 'The service that it connects to does not answer. Start that service, or correct its address in the variables or arguments.',
    remedies: [AGAIN, ENV],
  },
  {
    code: 'its-name-unknown',
    when: /\bENOTFOUND\b|EAI_AGAIN|getaddrinfo|name or service not known|could not resolve|no such host|Name resolution/i,
    what: 'connects to a host name that does not resolve.',
    todo: 'It connects to a host name that does not resolve. Correct the address in its variables or arguments, or check the network.',
    remedies: [ENV, AGAIN],
  },
  {
    code: 'package-missing',
    when: /E404|404 Not Found|ETARGET|no matching distribution|not found in the package registry|could not find a version|No matching version|no version of|pull access denied|manifest unknown|manifest for \S+ not found/i,
    what: 'could not be installed: there is no such package or version.',
    todo: `There is no such package or version. Correct its name ${EDIT}`,
    remedies: [ARGS],
  },
  {
    code: 'module-missing',
    when: /cannot find (?:module|package)|ERR_MODULE_NOT_FOUND|ModuleNotFoundError|no module named|cannot load such file|Could not find or load main class/i,
    what: 'is missing a file or module.',
    todo: 'A file or module that it needs is missing. Correct the path of its script, or install what it names in its folder.',
    remedies: [ARGS],
  },
  {
    code: 'port-in-use',
    when: /EADDRINUSE|address already in use/i,
    what: 'needs a port that another program uses.',
    todo: 'Another program uses its port. Stop that program, or give the server another port.',
    remedies: [AGAIN, ENV],
  },
  {
    code: 'disk-full',
    when: /ENOSPC|no space left on device|disk quota exceeded/i,
    what: 'ran out of disk space.',
    todo: 'Free some space, then start it again.',
    remedies: [AGAIN],
  },
  {
    code: 'no-permission',
    when: /EACCES|EPERM|permission denied|operation not permitted|access is denied/i,
    what: 'has no permission for something it needs.',
    todo: 'It cannot read, write or run the file that it names. Check the file’s permissions.',
    remedies: [AGAIN],
  },
  {
    code: 'its-key-rejected',
    when: /invalid (?:api.?)?(?:key|token|credentials)|unauthori[sz]ed|\b401\b|authentication failed|bad credentials|incorrect api key/i,
    what: 'has a key or token that is not accepted.',
    todo: `Its key or token is not accepted. Enter a valid one ${EDIT}`,
    remedies: [ENV],
  },
  {
    // A name in capitals is an argument here, unless the text calls it a variable, too.
    ...badArguments,
    when: new RegExp(`^(?![^]*${ENVIRONMENT})[^]*(?:${ARGUMENTS.join('|')})`, 'i'),
  },
  {
    ...variable,
    when: new RegExp(`${NAMED}[^.]{0,80}?${MISSED}|(?:${WANTED}[^.]{0,80}?|${inAnyCase('\\bno')} )${NAMED}`),
  },
  {
    code: 'key-missing',
    when: /\b(?:missing|no|requires?|required|provide)\b[^.]{0,40}(?:api.?key|access.?token|\btoken\b|credentials|password)/i,
    what: 'needs a key or token.',
    todo: `It needs a key or token. Add it as a variable ${EDIT}`,
    remedies: [ENV],
  },
  { ...badArguments, when: /\busage:|expected .* arguments?/i },
  {
    code: 'program-missing',
    when: /env: [‘'"]?([\w.-]+)[’'"]?: No such file|(?:^|[\s:])([\w.-]+): (?:command )?not found|not recognized as an internal|executable file not found|not found in PATH|spawn ([\w.-]+) ENOENT/im,
    what: (named) => (named === '' ? 'starts a program that was not found.' : `needs “${named}”, which was not found.`),
    todo: 'A program that it starts is not installed. Install it, or set its full path.',
    remedies: (named, os) => [...installRemedy(named, os), { is: 'edit', field: 'command' }],
  },
  {
    code: 'file-missing',
    when: /ENOENT|no such file|does not exist|not a directory|cannot open|cannot access/i,
    what: 'names a file or folder that does not exist.',
    todo: `A file or folder that it names does not exist. Correct the path in its arguments ${EDIT}`,
    remedies: [ARGS],
  },
]

/** The first known cause in these lines of output. */
export function causeIn(said: string, os: string): KnownCause | undefined {
  for (const { code, when, what, todo, remedies = [] } of ROWS) {
    const match = when.exec(said)
    if (!match) continue
    const named = match.slice(1).find((group) => group !== undefined) ?? ''
    const short = named.slice(0, MAX_NAME_LENGTH)
    return {
      code,
      what: typeof what === 'string' ? what : what(short),
      todo: typeof todo === 'string' ? todo : todo(short),
      remedies: typeof remedies === 'function' ? remedies(named, os) : remedies,
    }
  }
  return undefined
}
