import { compileSchema, judge } from '../../src-main/schemas/judge-schema.ts'
import type { JsonObject } from '../../src-shared/base/json.ts'
import type { CheckValue } from '../../src-shared/mcp/schema-verdict.ts'

/** Judges at once, without the thread that the app has for it. */
export const checkValue: CheckValue = async (schema, value) => judge(await compileSchema(schema as JsonObject), value)
