import type { DesktopPower, UpdateState } from '../../src-shared/contract/events.ts'
import type { Settings } from '../../src-shared/contract/settings.ts'
import { useSavedChoice } from '../forms/use-saved-choice.ts'
import { ask } from '../state/ask.ts'
import { attempt } from '../state/attempt.ts'
import { useHost } from '../state/host-store.ts'
import { Button } from '../ui/Button.tsx'
import { Switch } from '../ui/fields/Checkbox.tsx'
import { ProblemCard } from '../ui/ProblemCard.tsx'

type DesktopSetting = 'closeToTray' | 'startAtLogin' | 'spellCheck' | 'notifications' | 'checkUpdates'

interface SwitchWords {
  readonly setting: DesktopSetting
  readonly power: DesktopPower
  readonly label: string
  readonly hint: string
}

/** Switches for desktop features, only those that this system supports. */
export function DesktopSection() {
  const powers = useHost((mirror) => mirror.host.desktop?.powers) ?? []
  const update = useHost((mirror) => mirror.host.desktop?.update)
  const os = useHost((mirror) => mirror.host.platform)
  return (
    <div className="settings-fields column-4">
      {switches(os)
        .filter(({ power }) => powers.includes(power))
        .map((words) => (
          <DesktopSwitch key={words.setting} {...words} />
        ))}
      {update ? <Update update={update} /> : null}
    </div>
  )
}

function switches(os: string): readonly SwitchWords[] {
  const closeToTray: SwitchWords = {
    ...{ setting: 'closeToTray', power: 'tray', label: 'Keep running when the window is closed' },
    hint: `Parley stays in the tray. Off, it ends with its window, once no reply is running.${
      os === 'linux' ? ' Where your desktop shows no tray, start Parley again to see its window.' : ''
    }`,
  }
  return [
    // On a Mac apps do so anyway.
    ...(os === 'darwin' ? [] : [closeToTray]),
    {
      setting: 'startAtLogin',
      power: 'login-item',
      label: 'Start at login',
      hint: 'Parley opens when you sign in to this computer.',
    },
    {
      ...{ setting: 'notifications', power: 'notifications', label: 'Notifications' },
      hint: 'For questions, while the window is in the background.',
    },
    {
      ...{ setting: 'spellCheck', power: 'spell-check', label: 'Check spelling' },
      hint:
        os === 'darwin'
          ? 'With the dictionaries of macOS.'
          : 'Downloads a dictionary from Google. What you write stays on this computer.',
    },
    {
      ...{ setting: 'checkUpdates', power: 'updates', label: 'Check for updates at start' },
      hint: 'Nothing is downloaded or installed until you say so.',
    },
  ]
}

function DesktopSwitch({ setting, label, hint }: SwitchWords) {
  const saved = useHost((mirror) => mirror.host.settings[setting])
  const [on, choose] = useSavedChoice(saved, (wanted) => {
    const settings: Partial<Settings> = { [setting]: wanted }
    return attempt(ask('settings.change', { settings }))
  })
  return <Switch label={label} hint={hint} checked={on} onChange={choose} />
}

function Update({ update }: { readonly update: UpdateState }) {
  return (
    <div className="column-3">
      {update.is === 'failed' ? <ProblemCard problem={update.problem} /> : <p role="status">{updateSentence(update)}</p>}
      <div className="actions">
        {update.is === 'available' ? (
          <Button onClick={() => void attempt(ask('update.download', {}))}>Download</Button>
        ) : update.is === 'ready' ? (
          <Button onClick={() => void attempt(ask('update.install', {}))}>Install and restart</Button>
        ) : (
          <Button
            disabled={update.is === 'checking' || update.is === 'downloading'}
            onClick={() => void attempt(ask('update.check', {}))}
          >
            Check for updates
          </Button>
        )}
      </div>
    </div>
  )
}

function updateSentence(update: Exclude<UpdateState, { is: 'failed' }>): string {
  switch (update.is) {
    case 'unknown':
      return 'Not checked since Parley started.'
    case 'checking':
      return 'Checking for updates.'
    case 'newest':
      return 'This is the newest version.'
    case 'available':
      return `Version ${update.version} is available.`
    case 'downloading':
      return `Downloading version ${update.version}: ${Math.round(update.share * 100)} %.`
    case 'ready':
      return `Version ${update.version} is downloaded and verified.`
  }
}
