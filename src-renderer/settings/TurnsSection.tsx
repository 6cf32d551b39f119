import { QUESTION_LIFE, ROUNDS, TOOL_SHARE } from '../../src-shared/contract/settings.ts'
import { useSavedChoice } from '../forms/use-saved-choice.ts'
import { ask } from '../state/ask.ts'
import { attempt } from '../state/attempt.ts'
import { useHost } from '../state/host-store.ts'
import { Switch } from '../ui/fields/Checkbox.tsx'
import { NumberSetting } from './NumberSetting.tsx'

const MINUTE = 60_000

export function TurnsSection() {
  const { roundLimit, questionLife, toolShare, sendWith } = useHost((mirror) => mirror.host.settings)
  const [sends, choose] = useSavedChoice(sendWith, (wanted) =>
    attempt(ask('settings.change', { settings: { sendWith: wanted } })),
  )
  return (
    <div className="settings-fields column-4">
      <Switch
        label="Send with Ctrl+Enter"
        hint="Enter alone then starts a new line. On a Mac: Cmd+Enter."
        checked={sends === 'ctrl-enter'}
        onChange={(on) => choose(on ? 'ctrl-enter' : 'enter')}
      />
      <NumberSetting
        label="Maximum tool rounds"
        hint="Then the turn stops and waits for you."
        value={roundLimit}
        range={ROUNDS}
        onCommit={(rounds) => void attempt(ask('settings.change', { settings: { roundLimit: rounds } }))}
      />
      <NumberSetting
        label="Tool definitions (% of the context window)"
        hint="Beyond it the model searches for tools and is not given all."
        value={toolShare}
        range={TOOL_SHARE}
        onCommit={(share) => void attempt(ask('settings.change', { settings: { toolShare: share } }))}
      />
      <NumberSetting
        label="Question timeout (minutes)"
        hint="Then it counts as refused."
        value={Math.round(questionLife / MINUTE)}
        range={{ least: QUESTION_LIFE.least / MINUTE, most: QUESTION_LIFE.most / MINUTE }}
        onCommit={(minutes) => void attempt(ask('settings.change', { settings: { questionLife: minutes * MINUTE } }))}
      />
    </div>
  )
}
