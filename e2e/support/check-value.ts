import { compileSchema, judge } from '../../src-main/schemas/judge-schema.ts'
import type { JsonObject } from '../../src-shared/base/json.ts'
import type { CheckValue } from '../../src-shared/mcp/schema-verdict.ts'

/** Validates in this thread, instead of the app's own thread. */
export const checkValue: CheckValue = async (schema, value) => judge(await compileSchema(schema as JsonObject), value)
