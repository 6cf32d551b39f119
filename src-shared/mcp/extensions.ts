/** A client signs in by itself; switched on for each server in its form. */
export const CLIENT_CREDENTIALS = 'io.modelcontextprotocol/oauth-client-credentials'

/** Extensions of the protocol that have a name in the world. Of these the host implements client credentials. */
const NAMES: Readonly<Record<string, string>> = {
  'io.modelcontextprotocol/ui': 'MCP Apps',
  'io.modelcontextprotocol/tasks': 'Tasks',
  'io.modelcontextprotocol/skills': 'Skills',
  [CLIENT_CREDENTIALS]: 'Client credentials',
  'io.modelcontextprotocol/enterprise-managed-authorization': 'Enterprise-managed authorization',
}

const MAX_ID_LENGTH = 200
const LABEL = '[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?'
const ID = new RegExp(`^${LABEL}(?:\\.${LABEL})*/[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?$`)

/** An extension's id has a prefix and a name, as keys of `_meta` that have a prefix. */
export function isExtensionId(id: string): boolean {
  return id.length <= MAX_ID_LENGTH && ID.test(id)
}

/** The name of an extension; undefined for one that is unknown here. */
export function extensionName(id: string): string | undefined {
  return Object.hasOwn(NAMES, id) ? NAMES[id] : undefined
}
