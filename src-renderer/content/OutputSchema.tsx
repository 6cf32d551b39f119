import { useState } from 'react'
import type { ServerId } from '../../src-shared/contract/ids.ts'
import { useRequest } from '../state/use-request.ts'
import { Button } from '../ui/Button.tsx'
import { CodeBlock } from './text/CodeBlock.tsx'

/** The output schema of a tool, loaded on click. */
export function OutputSchema({ serverId, tool }: { readonly serverId: ServerId; readonly tool: string }) {
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
