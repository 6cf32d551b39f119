import { looksSecret, REDACTED, redactUnknown } from '../../../src-shared/base/secrets.ts'
import type { Launch, ServerRecord } from '../../../src-shared/contract/servers.ts'
import { launchLine, problemOf, stateWord, valuesOf } from './server-words.ts'
import { withoutColours } from './terminal-text.ts'

/** What a person pastes into a question for help: no values of variables or headers, and nothing that looks like a secret. */
export function problemReport(server: ServerRecord): string {
  const problem = problemOf(server)
  const { state, launch, hello } = server
  const names = Object.keys(valuesOf(launch))
  const stderr = state.is === 'failed' || state.is === 'restarting' ? state.stderr : []
  const report = [
    `Server: ${server.name}`,
    `State: ${stateWord(server).word}`,
    `Connection: ${launchLine(withoutSecrets(launch))}`,
    names.length > 0 && `${launch.type === 'local' ? 'Variables' : 'Headers'}: ${names.join(', ')}`,
    hello && `Server info: ${hello.serverInfo?.name ?? 'no name'} ${hello.serverInfo?.version ?? ''}, protocol ${hello.revision}`,
    problem && `Problem (${problem.code}): ${problem.what}`,
    problem?.said && `It said: ${problem.said}`,
    problem?.todo && `What to do: ${problem.todo}`,
    stderr.length > 0 && `Last lines:\n${withoutColours(stderr.join('\n'))}`,
  ]
    .filter((line) => line)
    .join('\n')
  return redactUnknown(report)
}

/** Arguments that follow or hold the name of a secret: `--token x`, `--api-key=x`, `-e KEY=x`. */
function withoutSecrets(launch: Launch): Launch {
  if (launch.type !== 'local') return launch
  const args = launch.args.map((arg, at) => {
    const named = /^([^=\s]+=)(.+)$/s.exec(arg)
    if (named?.[1] && looksSecret(named[1])) return `${named[1]}${REDACTED}`
    const before = launch.args[at - 1] ?? ''
    return /^--?[A-Za-z]/.test(before) && !before.includes('=') && looksSecret(before) ? REDACTED : arg
  })
  return { ...launch, args }
}
