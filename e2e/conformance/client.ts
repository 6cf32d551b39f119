// Our client as the official conformance runner starts it for a scenario. The server's URL is the last argument.

import { connectClient } from '../../src-main/client/connect-client.ts'
import { fileBytes, listedBy } from '../../src-main/host/skills/server-skills.ts'
import { SkillError, verifiedText } from '../../src-main/host/skills/skill-text.ts'
import type { ClientFeatures } from '../../src-main/protocol/peer/client-features.ts'
import { ProtocolError } from '../../src-main/protocol/shapes/json-rpc.ts'
import { systemClock } from '../../src-shared/base/clock.ts'
import type { JsonObject } from '../../src-shared/base/json.ts'
import { Lifetime } from '../../src-shared/base/lifetime.ts'
import type { ServerId } from '../../src-shared/contract/ids.ts'
import { checkForm } from '../../src-shared/forms/check-form.ts'
import { fieldsOfElicitation } from '../../src-shared/forms/form-fields.ts'
import type { ElicitValue } from '../../src-shared/mcp/client-requests.ts'
import { checkValue } from '../support/check-value.ts'
import { httpTransport } from '../support/http-transport.ts'
import { type Context, signingIn } from './sign-in.ts'

const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? ''
const url = process.argv.at(-1) ?? ''
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}') as Context
const lifetime = new Lifetime('conformance')

/** Someone who shares no folder, lets no server use the model, and accepts every form as it is: what is untouched sends its default, or stays out. */
const features: ClientFeatures = {
  roots: { list: async () => ({ roots: [] }) },
  sampling: {
    tools: true,
    context: false,
    createMessage: async () => {
      throw new ProtocolError(-1, 'declined')
    },
  },
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
const wrap = signsIn ? await signingIn(url, scenario, context, lifetime.signal) : undefined
const client = await connectClient({
  checkValue,
  open: (era) => httpTransport(url, wrap, era),
  features,
  clientInfo: { name: 'parley', version: '0.1.0' },
  lifetime,
  signal: lifetime.signal,
  clock: systemClock,
  requestTimeout: 20_000,
  maxRequestTime: 30_000,
})
const load = () => client.catalog.load(lifetime.signal)
const call = (name: string, args: JsonObject) => client.callTool(name, args, { signal: lifetime.signal })
await load()
const { tools, resources, prompts } = client.catalog.value
const listSkills = async () =>
  (await listedBy(client, { serverId: scenario as ServerId, serverName: scenario }, lifetime.signal)).skills

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
  case 'json-schema-ref-no-deref':
    // Its server has no calls.
    break
  case 'sep-2322-client-request-state':
    for (const { tool } of tools) await call(tool.name, {})
    break
  case 'http-standard-headers':
    for (const { tool } of tools) await call(tool.name, {})
    for (const { uri } of resources) await client.readResource(uri, { signal: lifetime.signal })
    for (const { name } of prompts) await client.getPrompt(name, {}, { signal: lifetime.signal })
    break
  case 'http-custom-headers':
    for (const { name, arguments: args } of context.toolCalls ?? []) await call(name, args)
    break
  case 'http-invalid-tool-headers':
    // Invalid entries cannot be used, and are not offered.
    for (const { tool, unusable } of tools) if (unusable === undefined) await call(tool.name, { region: 'us-west1' })
    break
  case 'auth/authorization-server-migration':
    for (const { tool } of tools) await call(tool.name, {})
    // The server has moved to another issuer by now.
    await load()
    for (const { tool } of tools) await call(tool.name, {})
    break
  case 'sep-2640-client-no-prefetch':
    await listSkills()
    break
  case 'sep-2640-client-verify-digest':
  case 'sep-2640-client-verify-size':
  case 'sep-2640-client-verify-frontmatter':
    for (const skill of await listSkills()) {
      try {
        for (const { path } of skill.files) await verifiedText(skill, path, await fileBytes(client, skill, path, lifetime.signal))
      } catch (error) {
        // A refused file ends the skill; the scenario sees that no other one is read.
        if (!(error instanceof SkillError)) throw error
      }
    }
    break
  default:
    if (signsIn) {
      // The token has to be on whatever comes later, too; the list once more is a request that every scenario's server knows.
      await load()
      // A sign-in serves a call, which may need more scopes than the lists.
      const [first] = tools
      if (first) await call(first.tool.name, {}).catch(() => {}) // a server that never permits it is a scenario, too
    }
}
await lifetime.end()
