import { isObject } from '../base/json.ts'
import type { Tool } from './primitives.ts'

/** What a tool says of itself to hosts that show apps of servers, in `_meta.ui`. */
export interface AppTool {
  readonly resourceUri?: string
  /** Who is to call it: the model, the app, or both. */
  readonly visibility?: readonly string[]
}

/** undefined where it says nothing; what is of the wrong type counts as not said. */
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

/** Whether the server means it for models at all; where it does not say, it does. */
export function isForModels(tool: Pick<Tool, '_meta'>): boolean {
  return appOf(tool)?.visibility?.includes('model') ?? true
}
