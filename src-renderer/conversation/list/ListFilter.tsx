import { useEffect } from 'react'
import { useHost } from '../../state/host-store.ts'
import { useRequest } from '../../state/use-request.ts'
import { Select } from '../../ui/fields/Select.tsx'
import type { HeadFilter } from './use-heads.ts'

const ARCHIVED = 'archived'
const TAG = 'tag '

interface ListFilterProps {
  readonly filter: HeadFilter | undefined
  readonly onChange: (filter: HeadFilter | undefined) => void
}

/** Filters the list by one tag or to archived conversations. It is hidden while no conversation is tagged or archived. */
export function ListFilter({ filter, onChange }: ListFilterProps) {
  const known = useHost((mirror) =>
    mirror.host.conversations.map((head) => `${head.archived ?? ''} ${(head.tags ?? []).join('\t')}`).join('\n'),
  )
  const count = useHost((mirror) => mirror.host.conversationCount)
  const found = useRequest('conversation.tags', {}, { refetchOn: [known, count] }).value
  const { tags, archived } = found ?? { tags: [], archived: 0 }
  // No conversation has the tag any more.
  const gone = found !== undefined && filter?.tag !== undefined && !tags.some(({ tag }) => tag === filter.tag)
  useEffect(() => {
    if (gone) onChange(undefined)
  }, [gone, onChange])
  if (tags.length === 0 && archived === 0 && filter === undefined) return null
  const all = [
    { value: '', label: 'All conversations' },
    { value: ARCHIVED, label: `Archived (${archived})` },
  ]
  const groups = [{ label: 'Tags', options: tags.map((one) => ({ value: TAG + one.tag, label: `${one.tag} (${one.count})` })) }]
  const value = filter === undefined ? '' : filter.tag === undefined ? ARCHIVED : TAG + filter.tag
  const choose = (chosen: string) => {
    if (chosen === '') onChange(undefined)
    else onChange(chosen === ARCHIVED ? { archived: true } : { tag: chosen.slice(TAG.length), archived: false })
  }
  return (
    <div className="conversation-list-tools">
      <Select
        label="Show"
        hideLabel
        options={all}
        groups={groups.filter(({ options }) => options.length > 0)}
        value={value}
        onChange={choose}
      />
    </div>
  )
}
