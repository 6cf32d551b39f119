import { useHost } from '../../state/host-store.ts'
import { useAsked } from '../../state/use-asked.ts'
import { Select } from '../../ui/fields/Select.tsx'

/** Narrows the list to one tag; there is nothing to see while no conversation has any. */
export function TagFilter({ tag, onChange }: { readonly tag: string; readonly onChange: (tag: string) => void }) {
  const known = useHost((mirror) => mirror.host.conversations.map((head) => (head.tags ?? []).join('\t')).join('\n'))
  const tags = useAsked('conversation.tags', {}, { anew: [known] }).value?.tags ?? []
  if (tags.length === 0 && tag === '') return null
  return (
    <Select
      label="Tag"
      hideLabel
      options={[{ value: '', label: 'All tags' }, ...tags.map((one) => ({ value: one.tag, label: `${one.tag} (${one.count})` }))]}
      value={tag}
      onChange={onChange}
    />
  )
}
