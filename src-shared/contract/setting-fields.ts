import type { Range } from '../base/range.ts'

/** Features of a desktop shell that settings control; a system may lack any of them. */
export type DesktopPower = 'tray' | 'login-item' | 'spell-check' | 'notifications' | 'updates'

/** A setting with one field; `options` maps its values to labels. */
export type SettingField = {
  readonly section: 'appearance' | 'turns' | 'desktop'
  readonly label: string
  /** A sentence below the label; may depend on `process.platform`. */
  readonly hint?: string | ((os: string) => string)
  /** More words to find it by. */
  readonly words?: string
  /** Shown only if the shell has it. */
  readonly power?: DesktopPower
  readonly notOn?: string
} & (
  | { readonly options: Readonly<Record<string, string>>; readonly initial: string }
  /** A switch that chooses the first value when off and the second when on. */
  | { readonly sides: readonly [off: string, on: string]; readonly initial: string }
  /** The range is in stored units; `unit` is the number of them in one unit on the screen. */
  | { readonly range: Range; readonly unit?: number; readonly initial: number }
  | { readonly initial: boolean }
)

const MINUTE = 60_000

/** In the order of the page. `initial` is the default. */
const SETTING_FIELDS = {
  theme: {
    section: 'appearance',
    label: 'Theme',
    options: { system: 'System', light: 'Light', dark: 'Dark' },
    initial: 'system',
    words: 'dark mode light colour color',
  },
  textSize: {
    section: 'appearance',
    label: 'Text size',
    options: { small: 'Small', normal: 'Normal', large: 'Large' },
    initial: 'normal',
    words: 'font zoom',
  },
  sendWith: {
    section: 'turns',
    label: 'Send with Ctrl+Enter',
    hint: 'Enter alone then starts a new line. On a Mac: Cmd+Enter.',
    sides: ['enter', 'ctrl-enter'],
    initial: 'enter',
  },
  /** Model rounds in one turn. */
  roundLimit: {
    section: 'turns',
    label: 'Maximum tool rounds',
    hint: 'Then it stops and waits for you.',
    range: { least: 1, most: 200 },
    initial: 25,
    words: 'rounds limit',
  },
  toolShare: {
    section: 'turns',
    label: 'Tool definitions (% of the context window)',
    hint: 'Above this, the model searches for tools instead.',
    range: { least: 1, most: 100 },
    initial: 10,
  },
  /** Milliseconds. */
  questionLife: {
    section: 'turns',
    label: 'Question timeout (minutes)',
    hint: 'Then it counts as denied.',
    range: { least: MINUTE, most: 24 * 60 * MINUTE },
    unit: MINUTE,
    initial: 30 * MINUTE,
  },
  /** Not on a Mac, where apps do so anyway. */
  closeToTray: {
    section: 'desktop',
    label: 'Keep running when the window is closed',
    hint: (os) =>
      `Parley stays in the tray. If off, it quits with its window once no reply is running.${
        os === 'linux' ? ' Where your desktop shows no tray, start Parley again to see its window.' : ''
      }`,
    initial: false,
    power: 'tray',
    notOn: 'darwin',
  },
  startAtLogin: {
    section: 'desktop',
    label: 'Start at login',
    hint: 'Parley opens when you sign in to this computer.',
    initial: false,
    power: 'login-item',
  },
  notifications: {
    section: 'desktop',
    label: 'Notifications',
    hint: 'For questions and scheduled runs, while the window is in the background.',
    initial: true,
    power: 'notifications',
  },
  /** Off by default, since it fetches a dictionary from the network, except on a Mac. */
  spellCheck: {
    section: 'desktop',
    label: 'Check spelling',
    hint: (os) =>
      os === 'darwin'
        ? 'With the dictionaries of macOS.'
        : 'Downloads a dictionary from Google. What you write stays on this computer.',
    initial: false,
    power: 'spell-check',
    words: 'spelling',
  },
  checkUpdates: {
    section: 'desktop',
    label: 'Check for updates at start',
    hint: 'Nothing is downloaded or installed until you say so.',
    initial: false,
    power: 'updates',
  },
} as const satisfies Readonly<Record<string, SettingField>>

type Fields = typeof SETTING_FIELDS
export type FieldId = keyof Fields
type ValueOf<Field> = Field extends { readonly options: infer Options }
  ? keyof Options
  : Field extends { readonly sides: readonly (infer Side)[] }
    ? Side
    : Field extends { readonly initial: number }
      ? number
      : boolean

export type FieldValues = { readonly [Id in FieldId]: ValueOf<Fields[Id]> }
export const FIELD_ENTRIES = Object.entries(SETTING_FIELDS) as readonly (readonly [FieldId, SettingField])[]
export const FIELD_DEFAULTS = Object.fromEntries(FIELD_ENTRIES.map(([id, { initial }]) => [id, initial])) as FieldValues
