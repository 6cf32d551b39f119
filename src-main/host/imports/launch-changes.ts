import type { Launch } from '../../../src-shared/contract/servers.ts'
import { configuredValues } from '../launch/launch-values.ts'

/** A sentence about two versions. */
export function versionChange(was: string, is: string): string {
  // Parts that are no numbers are compared as text.
  const order = was.localeCompare(is, 'en', { numeric: true })
  return order === 0
    ? `Its version is still ${is}.`
    : `Its version was ${was} and is now ${is}${order > 0 ? ', which is older' : ''}.`
}

/** A sentence for each difference between two launches. */
export function launchChanges(was: Launch, is: Launch): string[] {
  return [
    ...lineChange(was.type === 'remote' ? 'address' : 'command', lineOf(was), lineOf(is)),
    ...gained(
      is.type === 'remote' ? 'header' : 'variable',
      Object.keys(configuredValues(was)),
      Object.keys(configuredValues(is)),
    ),
  ]
}

export const lineChange = (called: string, was: string, is: string): string[] =>
  was === is ? [] : [`Its ${called} was “${short(was)}” and is now “${short(is)}”.`]

export function gained(kind: string, was: readonly string[], is: readonly string[]): string[] {
  return [
    ...[...new Set(is)].filter((name) => !was.includes(name)).map((name) => `The ${kind} ${short(name)} is new.`),
    ...[...new Set(was)].filter((name) => !is.includes(name)).map((name) => `The ${kind} ${short(name)} is gone.`),
  ]
}

function lineOf(launch: Launch): string {
  if (launch.type === 'local') return [launch.command, ...launch.args].join(' ')
  return launch.type === 'remote' ? launch.url : ''
}

const short = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text)
