import { assertNever } from '../../../src-shared/base/json.ts'
import type { SampledBlock, SampledPart } from '../../../src-shared/contract/sampling.ts'
import { ArgumentsTable } from '../../content/ArgumentsTable.tsx'
import { ContentBlockView } from '../../content/ContentBlockView.tsx'
import { LongText } from '../../content/text/LongText.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { type BlockEdits, editedText, withText } from './block-edits.ts'
import { EditableText } from './EditableText.tsx'
import { RemovableBlock } from './RemovableBlock.tsx'
import { SampledToolName } from './SampledToolName.tsx'

interface SampledBlocksProps<E extends BlockEdits> {
  /** Begins the names of the blocks: "User", "Reply". */
  readonly author: string
  readonly blocks: readonly SampledBlock[]
  readonly edits: E
  readonly onChange: (edits: E) => void
}

/** The blocks of one message: texts to edit, images and sounds to look at, all of them to remove; tool use as data. */
export function SampledBlocks<E extends BlockEdits>({ author, blocks, edits, onChange }: SampledBlocksProps<E>) {
  return (
    <>
      {blocks.map((block) => (
        <Block key={block.n} author={author} block={block} edits={edits} onChange={onChange} />
      ))}
    </>
  )
}

function Block<E extends BlockEdits>(props: Omit<SampledBlocksProps<E>, 'blocks'> & { readonly block: SampledBlock }) {
  const { author, block, edits, onChange } = props
  const label = `${author} ${NOUNS[block.type]} ${block.n + 1}`
  return (
    <RemovableBlock
      label={label}
      block={block}
      edits={edits}
      fixed={block.type === 'tool_use' || block.type === 'tool_result'}
      onChange={onChange}
    >
      <BlockContent
        label={label}
        block={block}
        edited={editedText(edits, block)}
        onText={(text) => onChange(withText(edits, block.n, text))}
      />
    </RemovableBlock>
  )
}

const NOUNS = { text: 'text', image: 'image', audio: 'sound', tool_use: 'tool use', tool_result: 'tool result' } as const

interface BlockContentProps {
  readonly label: string
  readonly block: SampledBlock
  readonly edited: string | undefined
  readonly onText: (text: string | undefined) => void
}

function BlockContent({ label, block, edited, onText }: BlockContentProps) {
  switch (block.type) {
    case 'text':
      return <EditableText label={label} original={block} edited={edited} onChange={onText} />
    case 'image':
    case 'audio':
      return <ContentBlockView content={block} />
    case 'tool_use':
      return (
        <div className="sampled-tool column-1">
          <p className="meta">
            Tool use: <SampledToolName name={block} /> (data only: Parley does not run it)
          </p>
          <ArgumentsTable json={block.input} />
        </div>
      )
    case 'tool_result':
      return (
        <div className="sampled-tool column-1">
          <p className="meta">
            {block.isError ? 'Tool error' : 'Tool result'} <VisibleText as="code" text={block.toolUseId} />
          </p>
          {block.content.map((content, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a result are told apart by their place only
            <Part key={at} content={content} />
          ))}
        </div>
      )
    default:
      return assertNever(block)
  }
}

/** A part of a result, and of a link the whole address, which is what the model is told. */
function Part({ content }: { readonly content: SampledPart }) {
  const whole = content.type === 'resource_link' ? content.whole : undefined
  return (
    <>
      <ContentBlockView content={content} />
      {whole ? (
        <>
          <p className="meta">Full address:</p>
          <LongText content={{ text: '', whole }} />
        </>
      ) : null}
    </>
  )
}
