import type { MessageBoxOptions } from 'electron'
import type { DataConfirmation } from '../../host/core/platform.ts'
import { nativeBoxes } from './native-boxes.ts'

/** The most servers and providers to list; the rest is counted. */
const MAX_COUNT = 40

/** Native boxes for a backup with secrets, and for a restore, which only they can allow. Undefined when the text is too long to read. */
export function dataBoxes(what: DataConfirmation): readonly MessageBoxOptions[] | undefined {
  if (what.is === 'give-secrets') {
    return nativeBoxes({
      message: 'Back up with secrets?',
      intro: 'The backup will hold, protected by the passphrase that was entered',
      lines: ['Model keys, sign-ins, secret variables and headers of servers'],
      advice: 'Only allow a backup that you asked for.',
    })
  }
  if (what.is === 'open-copy') {
    return nativeBoxes({
      message: 'Open this copy of the database?',
      intro: 'At its next start, Parley will replace your conversations, settings and rules with',
      lines: [`The copy of ${new Date(what.at).toLocaleString('en')}`],
      advice: 'Your current data is kept in a folder. Only allow this if you asked for it.',
    })
  }
  const { backup, withSecrets } = what
  const providers = backup.providers.map(({ name, address }) => `Model provider: ${name}${address ? `, ${address}` : ''}`)
  const { instructions, projects, titleModel } = backup
  // Of a foreign backup every instruction is shown in full, or it is not restored.
  const instructionLines = backup.own
    ? []
    : [
        ...(instructions ? [`Instructions for every model: ${instructions}`] : []),
        ...projects.map(
          ({ name, instructions, files }) => `Project: ${name}, files: ${files}, instructions: ${instructions || 'none'}`,
        ),
      ]
  const listed = [...backup.servers.map((name) => `Server: ${name}`), ...providers]
  return nativeBoxes({
    message: 'Restore this backup?',
    intro: 'At its next start, Parley will replace all your data with this backup',
    lines: [
      `Made ${new Date(backup.at).toLocaleString('en')} by Parley ${backup.by}${backup.own ? ' here' : ', elsewhere'}`,
      `Conversations: ${backup.conversations}`,
      `Secrets: ${withSecrets ? 'from the backup' : backup.own ? 'those that you have now' : 'none'}`,
      ...(backup.proxy ? [`Proxy: ${backup.proxy}`] : []),
      ...(backup.authorities ? ['Additional certificate authorities'] : []),
      ...(titleModel ? [`Titles are written by ${titleModel.model} of ${titleModel.provider}`] : []),
      ...instructionLines,
      ...listed.slice(0, MAX_COUNT),
      ...(listed.length > MAX_COUNT ? [`and ${listed.length - MAX_COUNT} more`] : []),
    ],
    advice: 'Your current data is kept in a folder. Only allow a backup that you chose yourself.',
  })
}
