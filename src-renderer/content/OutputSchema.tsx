import { useState } from 'react'
import type { ServerId } from '../../src-shared/contract/ids.ts'
import { failureText, readTool } from '../state/actions.ts'
import { Button } from '../ui/Button.tsx'
import { CodeBlock } from './text/CodeBlock.tsx'

export interface OutputSchemaProps {
  readonly serverId: ServerId
  readonly tool: string
}

/** What the tool said that its structured content looks like; asked for by a click. */
export function OutputSchema({ serverId, tool }: OutputSchemaProps) {
  const [schema, setSchema] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const show = () => {
    readTool(serverId, tool).then(
      ({ definition }) => setSchema(definition.outputSchema ? JSON.stringify(definition.outputSchema, null, 2) : ''),
      (error: unknown) => setProblem(failureText(error)),
    )
  }
  if (problem !== undefined) return <p role="alert">{problem}</p>
  if (schema === undefined) {
    return (
      <Button size="small" variant="quiet" onClick={show}>
        Show the schema it should follow
      </Button>
    )
  }
  if (schema === '') return <p className="meta">The tool gives no schema for it.</p>
  return <CodeBlock code={schema} language="json" />
}
