import type { FileAttachment } from '../../../src-shared/contract/attachments.ts'
import type { BlobRef } from '../../../src-shared/contract/blobs.ts'
import { useRequest } from '../../state/use-request.ts'
import { setViewing } from '../../state/view-store.ts'
import { bytes, grouped } from '../../ui/amounts.ts'
import { IconButton } from '../../ui/Button.tsx'
import { CloseIcon } from '../../ui/icons.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import './attachments.css'

interface FileChipProps {
  readonly file: FileAttachment
  /** Absent once the file was sent. */
  readonly onRemove?: (() => void) | undefined
}

/** A file of the person, with its name, its cost and its viewer. */
export function FileChip({ file, onRemove }: FileChipProps) {
  const { title, size, tokens, items } = file
  const shown = visibleText(title)
  const image = file.file === 'image' ? items[0]?.content : undefined
  return (
    <span className={onRemove || !image ? 'attachment small framed' : 'attachment small framed attachment-picture'}>
      <button
        type="button"
        className="attachment-name"
        title={shown}
        onClick={() => setViewing({ is: 'items', title, items, own: true })}
      >
        {image && 'blob' in image ? <Thumbnail blob={image} /> : null}
        <VisibleText text={title} />
        <span className="meta">
          {bytes(size)}, about {grouped(tokens)} tokens
        </span>
      </button>
      {onRemove ? <IconButton label={`Remove ${shown}`} icon={<CloseIcon />} onClick={onRemove} /> : null}
    </span>
  )
}

/** Decoration: the file's name is next to it. */
function Thumbnail({ blob }: { readonly blob: BlobRef }) {
  const { value } = useRequest('blob.link', { blob })
  return value ? <img className="attachment-image" src={value.url} alt="" decoding="async" loading="lazy" /> : null
}
