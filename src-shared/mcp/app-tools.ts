import { isObject } from '../base/json.ts'
import type { Tool } from './primitives.ts'

/** A tool's `_meta.ui`, for hosts that show apps of servers. */
interface AppTool {
  readonly resourceUri?: string
  /** Its intended callers: the model, the app, or both. */
  readonly visibility?: readonly string[]
}

/** Undefined for a tool without valid `_meta.ui`; members of the wrong type are left out. */
export function appOf({ _meta }: Pick<Tool, '_meta'>): AppTool | undefined {
  const ui = _meta?.ui
  if (!isObject(ui)) return undefined
  const { resourceUri, visibility } = ui
  const said: AppTool = {
    ...(typeof resourceUri === 'string' && { resourceUri }),
    ...(Array.isArray(visibility) && { visibility: visibility.filter((who) => typeof who === 'string') }),
  }
  return said.resourceUri === undefined && said.visibility === undefined ? undefined : said
}

/** True by default: a server may keep a tool for models. */
export function isForApps(tool: Pick<Tool, '_meta'>): boolean {
  return appOf(tool)?.visibility?.includes('app') ?? true
}

/** True by default: a server may keep a tool for its app. */
export function isForModels(tool: Pick<Tool, '_meta'>): boolean {
  return appOf(tool)?.visibility?.includes('model') ?? true
}
