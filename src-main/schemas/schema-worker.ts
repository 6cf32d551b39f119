import type { SchemaVerdict } from '../../src-shared/mcp/schema-verdict.ts'
import { serveJobs } from '../threads/serve-jobs.ts'
import { type CompiledSchema, compileSchema, judge } from './judge-schema.ts'
import type { SchemaJob } from './schema-job.ts'

const compiled = new Map<string, CompiledSchema>()

serveJobs<SchemaJob, SchemaVerdict>(async ({ key, schema, value, forget }) => {
  if (forget) compiled.clear()
  if (schema !== undefined) compiled.set(key, await compileSchema(JSON.parse(schema)))
  return judge(compiled.get(key) ?? { reason: 'the schema was lost.' }, JSON.parse(value))
})
