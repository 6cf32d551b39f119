import type { Remedy } from '../../../src-shared/contract/errors.ts'
import { visibleText } from '../../ui/visible-text.ts'

const MAX_LENGTH = 40

export function remedyLabel(remedy: Remedy): string {
  switch (remedy.is) {
    case 'set-variable':
    case 'set-header':
      return `Set ${visibleText(remedy.name)}`
    case 'edit':
      return EDIT[remedy.field]
    case 'use-command':
      return `Use ${shortened(remedy.command)}`
    case 'use-words':
      return `Use ${shortened([remedy.command, ...remedy.args].join(' '))}`
    case 'use-address':
      return `Use ${shortened(remedy.url)}`
    case 'install':
      return `Install ${visibleText(remedy.program)}`
    case 'run':
      return 'Show the command'
    default:
      return LABELS[remedy.is]
  }
}

const LABELS = {
  start: 'Try again',
  'sign-in': 'Sign in',
  review: 'Review',
  'automatic-version': 'Use any version',
  'allow-sampling': 'Allow it to ask your model',
  'offer-tools': 'Enable its tools',
  'open-settings': 'Open settings',
  'open-log': 'Show log',
} as const

const EDIT = {
  command: 'Edit command',
  args: 'Edit arguments',
  cwd: 'Edit working folder',
  env: 'Edit variables',
  url: 'Edit address',
  headers: 'Edit headers',
} as const

/** The end of a path or an address tells most. */
function shortened(text: string): string {
  const visible = visibleText(text)
  return visible.length > MAX_LENGTH ? `…${visible.slice(1 - MAX_LENGTH)}` : visible
}
