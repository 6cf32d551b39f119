import type { BoundedJson } from '../../src-shared/contract/blobs.ts'
import type { ServerId } from '../../src-shared/contract/ids.ts'
import { OutputSchema } from './OutputSchema.tsx'
import { JsonTree } from './viewers/JsonTree.tsx'

/** The server that returned a result, and the tool whose schema describes it. */
export interface ResultSource {
  readonly serverId: ServerId
  readonly tool: string
}

export interface StructuredContentProps {
  readonly value: BoundedJson
  readonly from: ResultSource | undefined
}

/** The structured content of a result as a tree, and the schema that describes it. */
export function StructuredContent({ value, from }: StructuredContentProps) {
  return (
    <>
      <JsonTree value={value} />
      {from ? <OutputSchema serverId={from.serverId} tool={from.tool} /> : null}
    </>
  )
}
