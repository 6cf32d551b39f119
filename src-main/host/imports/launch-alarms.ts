import type { FileLaunch } from '../../storage/base/storage.ts'
import { programName, runsInlineCode } from '../launch/launched-code.ts'
import { variableReach } from '../launch/variable-reach.ts'

const SHELLS = new Set(['cmd', 'powershell', 'pwsh'])
const REACH = {
  'load-code': 'can load other code',
  'change-downloads': 'can change where code is downloaded from',
  'redirect-traffic': 'can redirect its connections',
} as const

/** Sentences about what makes a published launch more dangerous than others. */
export function launchAlarms(launch: FileLaunch, os: string): string[] {
  if (launch.type === 'remote') return []
  const { command, args, env } = launch
  const name = programName(command, os)
  return [
    ...(SHELLS.has(name) || runsInlineCode(command, args, os) ? [`${name} runs code that is written in the arguments.`] : []),
    ...(name === 'docker' || name === 'podman' ? containerAlarms(args) : []),
    ...Object.keys(env).flatMap((variable) => {
      const reach = variableReach(variable)
      return reach && reach !== 'unknown' ? [`The variable ${variable.slice(0, 100)} ${REACH[reach]}.`] : []
    }),
  ]
}

/** Powers of a container over this computer. */
function containerAlarms(args: readonly string[]): string[] {
  const words = args.flatMap((arg) => (arg.startsWith('--') ? arg.split(/=(.*)/s) : [arg]))
  const said: string[] = []
  for (const [at, word] of words.entries()) {
    const next = words[at + 1] ?? ''
    if (word === '--privileged' || word === '--cap-add' || word === '--device')
      said.push(`${word} lets the container control this computer.`)
    if (/^--(?:network|net|pid|ipc|userns|uts)$/.test(word) && next === 'host')
      said.push(`${word} host takes the container out of its isolation.`)
    if (/docker\.sock/.test(word)) said.push('The container can control Docker, and so this computer.')
    if (/^-v\/:|^\/:/.test(word) || /(?:^|,)(?:source|src)=\/(?:,|$)/.test(word))
      said.push('The container can use the whole disk.')
  }
  return [...new Set(said)]
}
