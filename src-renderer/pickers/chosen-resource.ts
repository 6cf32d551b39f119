import type { ServerId } from '../../src-shared/contract/ids.ts'
import type { Annotations } from '../../src-shared/mcp/content.ts'

/** A resource that was chosen and is looked at before it is attached. */
export interface ChosenResource {
  readonly serverId: ServerId
  readonly serverName: string
  readonly uri: string
  readonly title: string
  readonly description?: string | undefined
  readonly mimeType?: string | undefined
  readonly size?: number | undefined
  readonly annotations?: Annotations | undefined
}
