import { useEffect, useState } from 'react'
import { listTags } from '../../state/context-actions.ts'
import { useHost } from '../../state/host-store.ts'
import { Select } from '../../ui/fields.tsx'

const ALL = '*all*'

/** Narrows the list to one tag; there is nothing to see while no conversation has any. */
export function TagFilter({ tag, onChange }: { readonly tag: string; readonly onChange: (tag: string) => void }) {
  const [tags, setTags] = useState<readonly { readonly tag: string; readonly count: number }[]>([])
  const known = useHost((mirror) => mirror.host.conversations.map((head) => (head.tags ?? []).join('\t')).join('\n'))
  // biome-ignore lint/correctness/useExhaustiveDependencies: a tag that was given or taken changes the list
  useEffect(() => {
    const giveUp = new AbortController()
    listTags(giveUp.signal).then(
      (found) => setTags(found.tags),
      () => {},
    )
    return () => giveUp.abort()
  }, [known])
  if (tags.length === 0 && tag === '') return null
  return (
    <Select
      label="Tag"
      hideLabel
      options={[
        { value: ALL, label: 'All tags' },
        ...tags.map((one) => ({ value: one.tag, label: `${one.tag} (${one.count})` })),
      ]}
      value={tag || ALL}
      onChange={(chosen) => onChange(chosen === ALL ? '' : chosen)}
    />
  )
}
