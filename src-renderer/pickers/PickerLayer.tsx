import { setPicker, useView } from '../state/view-store.ts'
import './pickers.css'
import { PromptPicker } from './PromptPicker.tsx'
import { ResourcePicker } from './ResourcePicker.tsx'

const close = () => setPicker(undefined)

export function PickerLayer() {
  const picker = useView((view) => view.picker)
  if (!picker) return null
  return picker.kind === 'resources' ? (
    <ResourcePicker picker={picker} onClose={close} />
  ) : (
    <PromptPicker picker={picker} onClose={close} />
  )
}
