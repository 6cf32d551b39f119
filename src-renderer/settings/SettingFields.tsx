import type { ReactNode } from 'react'
import { FIELD_ENTRIES, type FieldId, type SettingField } from '../../src-shared/contract/setting-fields.ts'
import { useSetting } from '../forms/use-saved-choice.ts'
import { useHost } from '../state/host-store.ts'
import { Switch } from '../ui/fields/Checkbox.tsx'
import { RadioGroup } from '../ui/fields/RadioGroup.tsx'
import { NumberSetting } from './NumberSetting.tsx'
import type { SectionId } from './sections.ts'

/** The settings of a section that are one field each, if this system supports them. */
export function SettingFields({ section, children }: { readonly section: SectionId; readonly children: ReactNode }) {
  const os = useHost((mirror) => mirror.host.platform)
  const powers = useHost((mirror) => mirror.host.desktop?.powers)
  const own = FIELD_ENTRIES.filter(([, field]) => field.section === section)
  if (own.length === 0) return children
  const shown = own.filter(([, { power, notOn }]) => notOn !== os && (power === undefined || powers?.includes(power)))
  return (
    <div className="settings-fields column-4">
      {shown.map(([id, field]) => (
        <Field key={id} id={id} field={field} os={os} />
      ))}
      {children}
    </div>
  )
}

function Field({ id, field, os }: { readonly id: FieldId; readonly field: SettingField; readonly os: string }) {
  const [value, choose] = useSetting(id)
  const { label } = field
  const hint = typeof field.hint === 'function' ? field.hint(os) : field.hint
  if ('options' in field) {
    const options = Object.entries(field.options).map(([value, label]) => ({ value, label }))
    return <RadioGroup label={label} options={options} value={String(value)} onChange={(wanted) => choose(wanted as never)} />
  }
  if ('range' in field) {
    const { range, unit = 1 } = field
    return (
      <NumberSetting
        label={label}
        hint={hint}
        value={Math.round(Number(value) / unit)}
        range={{ least: range.least / unit, most: range.most / unit }}
        onCommit={(number) => choose(number * unit)}
      />
    )
  }
  const [off, on] = 'sides' in field ? field.sides : [false, true]
  return <Switch label={label} hint={hint} checked={value === on} onChange={(is) => choose((is ? on : off) as typeof value)} />
}
