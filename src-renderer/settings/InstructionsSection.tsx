import { INSTRUCTIONS_LENGTH } from '../../src-shared/contract/settings.ts'
import { changeSettings } from '../state/ask.ts'
import { attempt } from '../state/attempt.ts'
import { useHost } from '../state/host-store.ts'
import { SavedText } from '../ui/fields/SavedText.tsx'

export function InstructionsSection() {
  const instructions = useHost((mirror) => mirror.host.settings.instructions)
  return (
    <SavedText
      label="Instructions for all conversations"
      of="settings"
      value={instructions}
      maxLength={INSTRUCTIONS_LENGTH}
      onSave={(text) => attempt(changeSettings({ instructions: text }))}
    />
  )
}
