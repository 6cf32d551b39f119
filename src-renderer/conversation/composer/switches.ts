import type { ServerCost, ToolCost } from '../../../src-shared/contract/context.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { ToolSwitches } from '../../../src-shared/contract/settings.ts'

export type SwitchesOf = 'this conversation' | 'this project' | 'new conversations'

export function withServer(switches: ToolSwitches, serverId: ServerId): ToolSwitches {
  const others = switches.servers.filter((one) => one !== serverId)
  return { ...switches, servers: others.length < switches.servers.length ? others : [...others, serverId] }
}

/** Turns all of these off, or on again when all are off. Other servers keep their switches. */
export function withAll(switches: ToolSwitches, all: readonly ServerId[]): ToolSwitches {
  const others = switches.servers.filter((one) => !all.includes(one))
  const off = all.every((id) => switches.servers.includes(id))
  return { ...switches, servers: off ? others : [...others, ...all] }
}

export function withTool(switches: ToolSwitches, serverId: ServerId, tool: string): ToolSwitches {
  const others = switches.tools.filter((one) => one.serverId !== serverId || one.tool !== tool)
  return { ...switches, tools: others.length < switches.tools.length ? others : [...others, { serverId, tool }] }
}

/** True if these switches offer the tool to the model; a tool that is off everywhere or in the project never is. */
export function isOn(switches: ToolSwitches, serverId: ServerId, { tool, state }: ToolCost): boolean {
  if (state === 'off-everywhere' || state === 'off-in-project' || switches.servers.includes(serverId)) return false
  return !isToolOff(switches, serverId, tool)
}

export function isToolOff(switches: ToolSwitches, serverId: ServerId, tool: string): boolean {
  return switches.tools.some((one) => one.serverId === serverId && one.tool === tool)
}

/** The number of offered tools and the tokens of their definitions; unlisted tools, which cost little, count as none. */
export function offeredOf(servers: readonly ServerCost[], switches: ToolSwitches): { count: number; tokens: number } {
  const on = servers.flatMap(({ serverId, tools }) => tools.filter((tool) => isOn(switches, serverId, tool)))
  const unlisted = servers.filter(({ serverId }) => !switches.servers.includes(serverId))
  const more = unlisted.reduce((sum, { toolCount, tools }) => sum + toolCount - tools.length, 0)
  return { count: on.length + more, tokens: on.reduce((sum, { tokens }) => sum + tokens, 0) }
}
