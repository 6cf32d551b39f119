import { assertNever } from '../../../src-shared/base/json.ts'
import type { Remedy } from '../../../src-shared/contract/errors.ts'
import type { Launch, ServerRecord } from '../../../src-shared/contract/servers.ts'
import { ask } from '../../state/ask.ts'
import { useHost } from '../../state/host-store.ts'
import { navigate, openQuestion } from '../../state/view-store.ts'

/** Remedies that need no further input. */
type PlainRemedy = Exclude<Remedy, { is: 'set-variable' | 'set-header' | 'edit' | 'install' | 'run' }>

export async function applyRemedy(server: ServerRecord, remedy: PlainRemedy): Promise<void> {
  const { id: serverId, launch } = server
  switch (remedy.is) {
    case 'use-command':
      if (launch.type === 'local') await changeLaunch(server, { ...launch, command: remedy.command })
      return
    case 'use-words':
      if (launch.type === 'local') await changeLaunch(server, { ...launch, command: remedy.command, args: remedy.args })
      return
    case 'use-address':
      if (launch.type === 'remote') await changeLaunch(server, { ...launch, url: remedy.url })
      return
    case 'start':
      await ask('server.start', { serverId })
      return
    case 'sign-in':
      await ask('server.authorize', { serverId })
      return
    case 'review':
      return review(server)
    case 'automatic-version':
      await ask('server.setOptions', { serverId, options: { era: 'auto' } })
      await ask('server.start', { serverId })
      return
    case 'allow-sampling':
      await ask('server.setOptions', { serverId, options: { sampling: 'ask' } })
      await ask('server.start', { serverId })
      return
    case 'offer-tools':
      await ask('server.setOptions', { serverId, options: { hiddenTools: [] } })
      return
    case 'open-settings':
      return navigate({ section: 'settings', id: remedy.section })
    case 'open-log':
      return navigate({ section: 'servers', id: serverId, tab: 'log' })
    default:
      return assertNever(remedy)
  }
}

/** Saves the value of a variable or header and starts the server. Likely secrets go to the secret store. */
export async function setValue(server: ServerRecord, remedy: Extract<Remedy, { name: string }>, text: string): Promise<void> {
  await changeLaunch(server, withValue(server.launch, remedy, text))
}

/** Adds the value to the launch. Header names ignore case; a bare token becomes a `Bearer` token. */
export function withValue(launch: Launch, { is, name }: Extract<Remedy, { name: string }>, text: string): Launch {
  if (is === 'set-variable' && launch.type === 'local') return { ...launch, env: { ...launch.env, [name]: { text } } }
  if (is !== 'set-header' || launch.type !== 'remote') return launch
  const others = Object.entries(launch.headers).filter(([other]) => other.toLowerCase() !== name.toLowerCase())
  const value = name.toLowerCase() === 'authorization' && !/\s/.test(text) ? `Bearer ${text}` : text
  return { ...launch, headers: { ...Object.fromEntries(others), [name]: { text: value } } }
}

/** A failed server restarts after a change by itself; others are started, too, since the click asks for it. */
async function changeLaunch({ name, id }: ServerRecord, launch: Launch): Promise<void> {
  if (launch.type === 'built-in') return
  await ask('server.change', { serverId: id, config: { name, launch } })
  await ask('server.start', { serverId: id })
}

function review({ id }: ServerRecord): void {
  const open = useHost
    .getState()
    .host.interactions.find(
      (one) =>
        (one.kind === 'server-trust' && one.about.serverId === id) ||
        (one.kind === 'servers-trust' && one.question.servers.some(({ serverId }) => serverId === id)),
    )
  if (open) openQuestion(open.id)
  else navigate({ section: 'inbox' })
}

export function appliesTo(remedy: Remedy, { type }: Launch): boolean {
  if (remedy.is === 'set-variable' || remedy.is === 'use-command' || remedy.is === 'use-words') return type === 'local'
  if (remedy.is === 'set-header' || remedy.is === 'use-address') return type === 'remote'
  return remedy.is !== 'edit' || type !== 'built-in'
}
