import type { CallToolResult, JsonSchema } from '../../src-shared/mcp/primitives.ts'
import type { CheckValue } from '../../src-shared/mcp/schema-verdict.ts'
import { unresolvedReference } from '../protocol/shapes/schema-references.ts'

/**
 * Holds structured content against the tool's own output schema. What breaks it is left out, so that nobody takes it for what the
 * tool promised (TOOL-24); what is promised and missing is told (TOOL-25). A schema that cannot be used never fails a call; one
 * that refers to elsewhere lets nothing pass either, unless its revision is lenient (V26-SCHEMA-2).
 */
export async function judgeStructuredContent(
  result: CallToolResult,
  schema: JsonSchema,
  warnings: readonly string[],
  checkValue: CheckValue,
  lenient = false,
): Promise<CallToolResult & { readonly warnings: readonly string[] }> {
  if (result.isError) return { ...result, warnings }
  const { structuredContent, ...rest } = result
  if (structuredContent === undefined) {
    return { ...result, warnings: [...warnings, 'The tool promised structured content and sent none.'] }
  }
  const elsewhere = lenient ? undefined : unresolvedReference(schema)
  if (elsewhere !== undefined) {
    const text = `The structured content was left out: its schema refers to “${elsewhere.slice(0, 200)}”, which is not fetched.`
    return { ...rest, warnings: [...warnings, text] }
  }
  const verdict = await checkValue(schema, structuredContent)
  switch (verdict.is) {
    case 'valid':
      return { ...result, warnings }
    case 'unchecked':
      return { ...result, warnings: [...warnings, `The structured content could not be checked: ${verdict.reason}`] }
    case 'invalid': {
      const text = `The structured content breaks the tool’s own schema and was left out: ${verdict.problems.join('; ')}.`
      return { ...rest, warnings: [...warnings, text] }
    }
  }
}
