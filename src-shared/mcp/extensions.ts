/** Lets a client sign in as itself; enabled per server in its form. */
export const CLIENT_CREDENTIALS = 'io.modelcontextprotocol/oauth-client-credentials'

/** A server offers folders of instructions for models. */
export const SKILLS = 'io.modelcontextprotocol/skills'

/** Calls that a server runs as tasks, in the modern era (SEP-2663). */
export const TASKS = 'io.modelcontextprotocol/tasks'

/** Views of a server's tools; enabled per server. */
export const APPS = 'io.modelcontextprotocol/ui'
/** The settings that declare it (MCP Apps 2026-01-26, client and server capability negotiation). */
export const APPS_SETTINGS = { mimeTypes: ['text/html;profile=mcp-app'] }

/** Published extensions of the protocol. The host implements client credentials, skills, tasks and views. */
const NAMES: Readonly<Record<string, string>> = {
  [APPS]: 'MCP Apps',
  [TASKS]: 'Tasks',
  [SKILLS]: 'Skills',
  [CLIENT_CREDENTIALS]: 'Client credentials',
  'io.modelcontextprotocol/enterprise-managed-authorization': 'Enterprise-managed authorization',
}

const MAX_ID_LENGTH = 200
const LABEL = '[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?'
const ID = new RegExp(`^${LABEL}(?:\\.${LABEL})*/[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?$`)

/** An extension's id has the form of a `_meta` key with a prefix. */
export function isExtensionId(id: string): boolean {
  return id.length <= MAX_ID_LENGTH && ID.test(id)
}

export function extensionName(id: string): string | undefined {
  return Object.hasOwn(NAMES, id) ? NAMES[id] : undefined
}
