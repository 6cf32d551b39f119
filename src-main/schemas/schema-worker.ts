import type { JsonObject } from '../../src-shared/base/json.ts'
import { parseJson } from '../../src-shared/base/parse-json.ts'
import type { SchemaVerdict } from '../../src-shared/mcp/schema-verdict.ts'
import { serveJobs } from '../threads/serve-jobs.ts'
import { type CompiledSchema, compileSchema, judge } from './judge-schema.ts'
import type { SchemaJob } from './schema-job.ts'

const compiled = new Map<string, CompiledSchema>()

serveJobs<SchemaJob, SchemaVerdict>(async ({ key, schema, value, forget }) => {
  if (forget) compiled.clear()
  if (schema !== undefined) compiled.set(key, await compileSchema(parseJson(schema) as JsonObject))
  return judge(compiled.get(key) ?? { reason: 'the schema was lost.' }, parseJson(value))
})
