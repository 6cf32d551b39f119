// What the official conformance runner starts: our client, doing what a scenario asks. The server's URL is the last argument.

import { connectClient } from '../../src-main/client/connect-client.ts'
import type { ClientFeatures } from '../../src-main/protocol/peer/client-features.ts'
import { systemClock } from '../../src-shared/base/clock.ts'
import type { JsonObject } from '../../src-shared/base/json.ts'
import { Lifetime } from '../../src-shared/base/lifetime.ts'
import { checkForm } from '../../src-shared/forms/check-form.ts'
import { fieldsOfElicitation } from '../../src-shared/forms/form-fields.ts'
import type { ElicitValue } from '../../src-shared/mcp/client-requests.ts'
import { checkValue } from '../support/check-value.ts'
import { httpTransport } from '../support/http-transport.ts'
import { signingIn } from './sign-in.ts'

const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? ''
const url = process.argv.at(-1) ?? ''
const lifetime = new Lifetime('conformance')

/** A person who accepts every form as it is: what is untouched sends its default, or stays out. */
const features: ClientFeatures = {
  elicitation: {
    url: true,
    async elicit(params) {
      if (params.mode === 'url') return { action: 'cancel' }
      const form = fieldsOfElicitation(params.requestedSchema, { multiSelect: true })
      if (!form.ok) return { action: 'cancel' }
      const checked = checkForm(form.fields, {}, () => undefined)
      return checked.ok ? { action: 'accept', content: checked.content as Record<string, ElicitValue> } : { action: 'cancel' }
    },
  },
}

const signsIn = scenario.startsWith('auth/')
const client = await connectClient({
  checkValue,
  open: async (era) => httpTransport(url, signsIn ? await signingIn(url, scenario, lifetime.signal) : undefined, era),
  known: { era: process.env.MCP_CONFORMANCE_PROTOCOL_VERSION === '2026-07-28' ? 'modern' : 'legacy', by: 'choice' },
  features,
  clientInfo: { name: 'parley', version: '0.1.0' },
  lifetime,
  signal: lifetime.signal,
  clock: systemClock,
  requestTimeout: 20_000,
  maxRequestTime: 30_000,
})
await client.catalog.load(lifetime.signal)
// The token has to be on whatever comes later, too; the list once more is a request that every scenario's server knows.
if (signsIn) await client.catalog.load(lifetime.signal)
const { tools } = client.catalog.value
const call = (name: string, args: JsonObject) => client.callTool(name, args, { signal: lifetime.signal })

switch (scenario) {
  case 'tools_call':
    await call('add_numbers', { a: 5, b: 3 })
    break
  case 'elicitation-sep1034-client-defaults':
    await call('test_client_elicitation_defaults', {})
    break
  case 'sse-retry':
    await call('test_reconnection', {})
    break
  case 'json-schema-2020-12-preservation': {
    const [focal, echo] = tools.map(({ tool }) => tool)
    if (focal && echo) await call(echo.name, { schema: focal.inputSchema as unknown as JsonObject })
    break
  }
  default: {
    // What a sign-in is for: a call, which may need more permissions than the lists.
    const [first] = tools
    if (signsIn && first) await call(first.tool.name, {}).catch(() => {}) // a server that never permits it is a scenario, too
  }
}
await lifetime.end()
