import type { LaunchSummary, LaunchVariable } from '../../src-shared/contract/servers.ts'

export const CAN: Readonly<Record<NonNullable<LaunchVariable['can']>, string>> = {
  'load-code': 'can load other code',
  'change-downloads': 'can change what is downloaded',
  'redirect-traffic': 'can redirect its traffic',
  unknown: 'not known to be harmless',
}

/** The summary of a launch in a list of several. */
export function warningsOf(launch: LaunchSummary): string[] {
  if (launch.type === 'remote') return []
  return [
    ...(launch.resolved === undefined ? ['Not found on this computer'] : []),
    ...launch.env.flatMap(({ name, can }) => (can ? [`${name} ${CAN[can]}`] : [])),
  ]
}
