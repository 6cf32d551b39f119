import { useRef } from 'react'
import { ATTACHMENT_LIMIT } from '../../../src-shared/contract/attachments.ts'
import { attempt } from '../../state/attempt.ts'
import { AttachIcon } from '../../ui/icons.tsx'
import { Menu } from '../../ui/Menu.tsx'
import type { FilesTarget } from './file-uploads.ts'

export interface AttachMenuProps extends FilesTarget {
  readonly disabled: boolean
  readonly onResources: () => void
}

/** Adds attachments: files of this computer, or resources of servers. */
export function AttachMenu({ disabled, onResources, ...target }: AttachMenuProps) {
  const field = useRef<HTMLInputElement>(null)
  const full = target.waiting.length >= ATTACHMENT_LIMIT
  return (
    <>
      <Menu
        label={full ? `At most ${ATTACHMENT_LIMIT} attachments` : 'Attach'}
        icon={<AttachIcon />}
        disabled={disabled || full}
        items={[
          { label: 'Files…', onSelect: () => field.current?.click() },
          { label: 'Resources…', onSelect: onResources },
        ]}
      />
      <input
        ref={field}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])]
          event.currentTarget.value = ''
          void attempt(import('./attach-files.ts').then((module) => module.attachFiles(target, files)))
        }}
      />
    </>
  )
}
