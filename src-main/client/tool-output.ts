import type { CallToolResult } from '../../src-shared/mcp/content.ts'
import type { JsonSchema } from '../../src-shared/mcp/primitives.ts'
import type { CheckValue } from '../../src-shared/mcp/schema-verdict.ts'
import { unresolvedReference } from '../protocol/shapes/schema-references.ts'

/**
 * Checks structured content against the tool's output schema. Invalid content is left out with a warning (TOOL-24), missing content
 * gives a warning (TOOL-25). An unusable schema never fails a call; one with external references leaves the content out, unless
 * `lenient` (V26-SCHEMA-2).
 */
export async function checkStructuredContent(
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
