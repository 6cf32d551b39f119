import { type RefObject, useState } from 'react'
import { attempt } from '../../state/attempt.ts'
import { archiveConversations, removeConversations } from '../../state/conversation-actions.ts'
import { useHost } from '../../state/host-store.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { CloseIcon } from '../../ui/icons.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { saveAs } from './conversation-menu-items.ts'
import { ProjectDialog, TagsDialog } from './dialogs.ts'
import type { Selection } from './use-selection.ts'

interface SelectionBarProps {
  readonly selection: Selection
  /** Takes the focus when this goes away. */
  readonly after: RefObject<HTMLElement | null>
}

/** Actions on several conversations at once. */
export function SelectionBar({ selection, after }: SelectionBarProps) {
  const { heads } = selection
  const [open, setOpen] = useState<'tags' | 'project'>()
  const movable = useHost((mirror) => mirror.host.projects.length > 0)
  const archived = heads.every((head) => head.archived)
  const leave = () => {
    after.current?.focus()
    selection.clear()
  }
  const act = (doing: Promise<unknown>) => {
    leave()
    void attempt(doing)
  }
  const close = () => setOpen(undefined)
  const save = (format: 'markdown' | 'json') =>
    void saveAs(
      heads.map(({ id }) => id),
      format,
    )
  return (
    <div className="conversation-selection line">
      <span className="meta" role="status">
        {heads.length} selected
      </span>
      <IconButton label="Clear the selection" icon={<CloseIcon />} onClick={leave} />
      <Button size="small" onClick={() => act(archiveConversations(heads, !archived))}>
        {archived ? 'Unarchive' : 'Archive'}
      </Button>
      <Button size="small" variant="danger" onClick={() => act(removeConversations(heads))}>
        Delete
      </Button>
      <Menu
        label="More for the selected conversations"
        items={[
          { label: 'Select all listed', onSelect: selection.all },
          { label: 'Add tags …', onSelect: () => setOpen('tags') },
          ...(movable ? [{ label: 'Move to project …', onSelect: () => setOpen('project') }] : []),
          { label: 'Export as Markdown', onSelect: () => save('markdown') },
          { label: 'Export for Parley', onSelect: () => save('json') },
        ]}
      />
      {open === 'tags' ? <TagsDialog heads={heads} onClose={close} /> : null}
      {open === 'project' ? <ProjectDialog heads={heads} onClose={close} /> : null}
    </div>
  )
}
