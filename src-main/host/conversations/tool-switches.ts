import type { ToolCost } from '../../../src-shared/contract/context.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import { NO_SWITCHES, type ToolSwitches } from '../../../src-shared/contract/settings.ts'
import { skillKey } from '../../../src-shared/contract/skills.ts'
import type { NamedTool } from '../offerings/named-tools.ts'

const SERVER_LIMIT = 200
const TOOL_LIMIT = 500

export function switchedOn(tools: readonly NamedTool[], switches: ToolSwitches = NO_SWITCHES): readonly NamedTool[] {
  if (switches.servers.length + switches.tools.length === 0) return tools
  return tools.filter(({ available }) => switchOf(switches, available.serverId, available.tool.name) === 'offered')
}

export function bothSwitches(one: ToolSwitches = NO_SWITCHES, other: ToolSwitches = NO_SWITCHES): ToolSwitches {
  return {
    servers: [...one.servers, ...other.servers],
    tools: [...one.tools, ...other.tools],
    skills: [...(one.skills ?? []), ...(other.skills ?? [])],
  }
}

export function switchOf(switches: ToolSwitches, serverId: ServerId, tool: string): ToolCost['state'] {
  if (switches.servers.includes(serverId)) return 'server-off-here'
  const off = switches.tools.some((one) => one.serverId === serverId && one.tool === tool)
  return off ? 'off-here' : 'offered'
}

/** Removes duplicates. Throws HostError `invalid-params` for too many. */
export function tidySwitches({ servers, tools, skills = [] }: ToolSwitches): ToolSwitches {
  const distinct = new Map(tools.map((one) => [JSON.stringify([one.serverId, one.tool]), one]))
  const tidy = {
    servers: [...new Set(servers)],
    tools: [...distinct.values()],
    ...(skills.length > 0 && {
      skills: [...new Map(skills.map((one) => [skillKey(one), one])).values()],
    }),
  }
  if (tidy.servers.length > SERVER_LIMIT || tidy.tools.length > TOOL_LIMIT) {
    throw new HostError('invalid-params', 'Too many tools are turned off. Turn off whole servers instead.')
  }
  return tidy
}
