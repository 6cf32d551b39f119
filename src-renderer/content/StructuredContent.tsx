import { useState } from 'react'
import type { BoundedJson } from '../../src-shared/contract/blobs.ts'
import type { ServerId } from '../../src-shared/contract/ids.ts'
import { useRequest } from '../state/use-request.ts'
import { Button } from '../ui/Button.tsx'
import { CodeBlock } from './text/CodeBlock.tsx'
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

/** The output schema of a tool, loaded on click. */
function OutputSchema({ serverId, tool }: { readonly serverId: ServerId; readonly tool: string }) {
  const [wanted, setWanted] = useState(false)
  const { value, problem } = useRequest('catalog.tool', wanted ? { serverId, tool } : undefined)
  if (problem !== undefined) return <p role="alert">{problem}</p>
  if (!value) {
    return (
      <Button size="small" variant="quiet" onClick={() => setWanted(true)}>
        Show output schema
      </Button>
    )
  }
  const { outputSchema } = value.definition
  if (!outputSchema) return <p className="meta">No output schema.</p>
  return <CodeBlock code={JSON.stringify(outputSchema, null, 2)} language="json" />
}
