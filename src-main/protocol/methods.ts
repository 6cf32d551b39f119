import type {
  CallToolResult,
  CompletionResult,
  GetPromptResult,
  ReadResourceResult,
  ServerCapabilities,
} from '../../src-shared/mcp/primitives.ts'
import type { Border, Fields } from './shapes/border.ts'
import {
  callToolResult,
  completionResult,
  emptyResult,
  getPromptResult,
  type Page,
  page,
  readResourceResult,
} from './shapes/result-shapes.ts'
import type { Traits } from './shapes/version-traits.ts'

/** What each request of ours gets. */
export interface Results {
  readonly ping: Record<string, never>
  readonly 'tools/list': Page
  readonly 'tools/call': CallToolResult
  readonly 'resources/list': Page
  readonly 'resources/templates/list': Page
  readonly 'resources/read': ReadResourceResult
  readonly 'resources/subscribe': Record<string, never>
  readonly 'resources/unsubscribe': Record<string, never>
  readonly 'prompts/list': Page
  readonly 'prompts/get': GetPromptResult
  readonly 'completion/complete': CompletionResult
  readonly 'logging/setLevel': Record<string, never>
}

export type ClientMethodName = keyof Results

export interface ClientMethod<Name extends ClientMethodName> {
  /** The capability that the server must have declared, in words, when it has not; undefined when it may be called. */
  readonly missing: (declared: ServerCapabilities) => string | undefined
  readonly check: (result: Fields, border: Border) => Results[Name]
}

export type ClientMethods = { readonly [Name in ClientMethodName]?: ClientMethod<Name> }

const needs = (key: 'tools' | 'resources' | 'prompts' | 'logging' | 'completions') => (declared: ServerCapabilities) =>
  declared[key] === undefined ? key : undefined
const never = () => undefined
const subscribe = (declared: ServerCapabilities) =>
  declared.resources?.subscribe === true ? undefined : declared.resources ? 'resources.subscribe' : 'resources'

/** Every request that a revision has. What it lacks is absent (LIFE-15, LIFE-17). */
export function clientMethods(traits: Traits): ClientMethods {
  return {
    ping: { missing: never, check: emptyResult },
    'tools/list': { missing: needs('tools'), check: page('tools') },
    'tools/call': { missing: needs('tools'), check: callToolResult },
    'resources/list': { missing: needs('resources'), check: page('resources') },
    'resources/templates/list': { missing: needs('resources'), check: page('resourceTemplates') },
    'resources/read': { missing: needs('resources'), check: readResourceResult },
    'resources/subscribe': { missing: subscribe, check: emptyResult },
    'resources/unsubscribe': { missing: subscribe, check: emptyResult },
    'prompts/list': { missing: needs('prompts'), check: page('prompts') },
    'prompts/get': { missing: needs('prompts'), check: getPromptResult },
    // 2024-11-05 has the method but no capability for it: one may try (COMP-01, COMP-02).
    'completion/complete': { missing: traits.completionsCapability ? needs('completions') : never, check: completionResult },
    'logging/setLevel': { missing: needs('logging'), check: emptyResult },
  }
}

/** Every notification of a server that a revision has; progress and cancellation are the peer's own. */
export type ServerNotification =
  | 'notifications/message'
  | 'notifications/resources/updated'
  | 'notifications/tools/list_changed'
  | 'notifications/resources/list_changed'
  | 'notifications/prompts/list_changed'
  | 'notifications/elicitation/complete'

export function serverNotifications(traits: Traits): ReadonlySet<string> {
  const known: ServerNotification[] = [
    'notifications/message',
    'notifications/resources/updated',
    'notifications/tools/list_changed',
    'notifications/resources/list_changed',
    'notifications/prompts/list_changed',
  ]
  if (traits.urlElicitation) known.push('notifications/elicitation/complete')
  return new Set(known)
}
