import { type KeyboardEvent, useState } from 'react'
import { type Keys, keysOf, keysProblem, SHORTCUT_IDS, SHORTCUTS, type ShortcutId } from '../../src-shared/base/shortcuts.ts'
import { changeSettings } from '../state/ask.ts'
import { attempt } from '../state/attempt.ts'
import { useHost } from '../state/host-store.ts'
import { Button } from '../ui/Button.tsx'
import { keysPressed, shownKeys } from '../ui/fields/keys.ts'

/** The shortcuts, whose keys can be changed. */
export function ShortcutsSection() {
  const shell = useHost((mirror) => mirror.host.shell)
  const chosen = useHost((mirror) => mirror.host.settings.shortcuts)
  const [changing, setChanging] = useState<ShortcutId>()
  const save = (shortcuts: typeof chosen) => void attempt(changeSettings({ shortcuts }))
  const without = (id: ShortcutId) => Object.fromEntries(Object.entries(chosen).filter(([one]) => one !== id))
  const take = (id: ShortcutId, keys: Keys) => {
    setChanging(undefined)
    save(keys === SHORTCUTS[id].keys ? without(id) : { ...chosen, [id]: keys })
  }
  return (
    <div className="settings-fields column-3">
      <ul aria-label="Shortcuts">
        {SHORTCUT_IDS.filter((id) => id !== 'find' || shell === 'electron').map((id) => (
          <ShortcutRow
            key={id}
            id={id}
            chosen={chosen}
            changing={changing === id}
            onChange={() => setChanging(id)}
            onKeys={(keys) => take(id, keys)}
            onCancel={() => setChanging(undefined)}
            onReset={() => save(without(id))}
          />
        ))}
      </ul>
      {Object.keys(chosen).length > 0 ? (
        <div>
          <Button onClick={() => save({})}>Reset all</Button>
        </div>
      ) : null}
    </div>
  )
}

interface ShortcutRowProps {
  readonly id: ShortcutId
  readonly chosen: Parameters<typeof keysOf>[1]
  readonly changing: boolean
  readonly onChange: () => void
  readonly onKeys: (keys: Keys) => void
  readonly onCancel: () => void
  readonly onReset: () => void
}

function ShortcutRow({ id, chosen, changing, onChange, onKeys, onCancel, onReset }: ShortcutRowProps) {
  const { label } = SHORTCUTS[id]
  const keys = keysOf(id, chosen)
  const [problem, setProblem] = useState<string>()
  const cancel = () => {
    setProblem(undefined)
    onCancel()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Tab') return
    // The keys being chosen must not trigger other shortcuts.
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Escape') return cancel()
    const plain = !event.ctrlKey && !event.metaKey
    if (plain && (event.key === 'Backspace' || event.key === 'Delete')) return onKeys('')
    const pressed = keysPressed(event.nativeEvent)
    if (pressed === undefined) return
    const wrong = keysProblem(pressed, id, chosen)
    setProblem(wrong)
    if (wrong === undefined) onKeys(pressed)
  }
  return (
    <li className="shortcut-row row">
      <div className="column-tight grow">
        <span>{label}</span>
        <span className={problem ? 'ui-field-problem' : 'meta'} role="status">
          {changing ? (problem ?? 'Press the new keys. Backspace for none, Escape to keep.') : null}
        </span>
      </div>
      <kbd>{keys === '' ? 'None' : shownKeys(keys)}</kbd>
      <Button
        size="small"
        aria-label={`Edit the keys of ${label}`}
        aria-pressed={changing}
        onClick={changing ? cancel : onChange}
        onBlur={changing ? cancel : undefined}
        onKeyDown={changing ? onKeyDown : undefined}
      >
        {changing ? 'Press keys' : 'Edit'}
      </Button>
      {chosen[id] === undefined ? null : (
        <Button size="small" variant="quiet" aria-label={`Reset the keys of ${label}`} onClick={onReset}>
          Reset
        </Button>
      )}
    </li>
  )
}
