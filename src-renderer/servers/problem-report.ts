import type { ServerRecord } from '../../src-shared/contract/servers.ts'
import { valuesOf } from './launch-values.ts'
import { launchLine, problemOf, stateWord } from './server-words.ts'
import { withoutColours } from './terminal-text.ts'

/** What a person pastes into a question for help: no values of variables or headers. */
export function problemReport(server: ServerRecord): string {
  const problem = problemOf(server)
  const { state, launch, hello } = server
  const names = Object.keys(valuesOf(launch))
  const stderr = state.is === 'failed' || state.is === 'restarting' ? state.stderr : []
  return [
    `Server: ${server.name}`,
    `State: ${stateWord(server).word}`,
    `Reached by: ${launchLine(launch)}`,
    names.length > 0 && `${launch.type === 'local' ? 'Variables' : 'Headers'}: ${names.join(', ')}`,
    hello && `Says it is: ${hello.serverInfo.name} ${hello.serverInfo.version}, revision ${hello.revision}`,
    problem && `Problem (${problem.code}): ${problem.what}`,
    problem?.said && `It said: ${problem.said}`,
    problem?.todo && `What to do: ${problem.todo}`,
    stderr.length > 0 && `Last lines:\n${withoutColours(stderr.join('\n'))}`,
  ]
    .filter((line) => line)
    .join('\n')
}
