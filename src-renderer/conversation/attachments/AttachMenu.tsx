import { ATTACHMENT_LIMIT } from '../../../src-shared/contract/attachments.ts'
import { attempt } from '../../state/attempt.ts'
import { useFileInput } from '../../ui/fields/use-file-input.tsx'
import { AttachIcon } from '../../ui/icons.tsx'
import { Menu } from '../../ui/Menu.tsx'
import type { FilesTarget } from './file-uploads.ts'

interface AttachMenuProps extends FilesTarget {
  readonly disabled: boolean
  readonly onResources: () => void
}

/** Adds attachments: files of this computer, or resources of servers. */
export function AttachMenu({ disabled, onResources, ...target }: AttachMenuProps) {
  const files = useFileInput({
    label: 'Files to attach',
    multiple: true,
    onFiles: (chosen) => {
      document.querySelector<HTMLElement>('.composer-text')?.focus()
      void attempt(import('./attach-files.ts').then((module) => module.attachFiles(target, chosen)))
    },
  })
  const full = target.waiting.length >= ATTACHMENT_LIMIT
  return (
    <>
      <Menu
        label={full ? `At most ${ATTACHMENT_LIMIT} attachments` : 'Attach'}
        icon={<AttachIcon />}
        disabled={disabled || full}
        items={[
          { label: 'Files …', onSelect: files.choose },
          { label: 'Resources …', onSelect: onResources },
        ]}
      />
      {files.input}
    </>
  )
}
