import type { CallToolResult } from '../../src-shared/mcp/content.ts'
import { SKILLS, TASKS } from '../../src-shared/mcp/extensions.ts'
import type {
  CompletionResult,
  GetPromptResult,
  ReadResourceResult,
  ServerCapabilities,
} from '../../src-shared/mcp/primitives.ts'
import { type Border, type Fields, ShapeError } from './shapes/border.ts'
import { RequestError } from './shapes/json-rpc.ts'
import { LimitError } from './shapes/limits.ts'
import {
  callToolResult,
  completionResult,
  emptyResult,
  getPromptResult,
  type ListedPage,
  page,
  readResourceResult,
  skillResult,
} from './shapes/result-shapes.ts'
import type { Traits } from './shapes/version-traits.ts'
import { extensionTask, runsTasks, type Task, task } from './task.ts'

export interface Results {
  readonly ping: Record<string, never>
  readonly 'tools/list': ListedPage
  readonly 'tools/call': CallToolResult
  readonly 'resources/list': ListedPage
  readonly 'resources/templates/list': ListedPage
  readonly 'resources/read': ReadResourceResult
  readonly 'resources/subscribe': Record<string, never>
  readonly 'resources/unsubscribe': Record<string, never>
  readonly 'prompts/list': ListedPage
  readonly 'prompts/get': GetPromptResult
  readonly 'completion/complete': CompletionResult
  readonly 'logging/setLevel': Record<string, never>
  readonly 'skills/list': ListedPage
  readonly 'skills/get': { readonly skill: Fields }
  readonly 'tasks/get': Task
  readonly 'tasks/result': CallToolResult
  readonly 'tasks/update': Record<string, never>
  readonly 'tasks/cancel': Record<string, never>
}

export type ClientMethodName = keyof Results

interface ClientMethod<Name extends ClientMethodName> {
  /** The required capability that the server did not declare; undefined when the method may be called. */
  readonly missing: (declared: ServerCapabilities) => string | undefined
  readonly check: (result: Fields, border: Border) => Results[Name] | Promise<Results[Name]>
}

type ClientMethods = { readonly [Name in ClientMethodName]?: ClientMethod<Name> }

const needs = (key: 'tools' | 'resources' | 'prompts' | 'logging' | 'completions') => (declared: ServerCapabilities) =>
  declared[key] === undefined ? key : undefined
const never = () => undefined
const skills = (declared: ServerCapabilities) => (declared.extensions?.[SKILLS] && declared.resources ? undefined : SKILLS)
const subscribe = (declared: ServerCapabilities) =>
  declared.resources?.subscribe === true ? undefined : declared.resources ? 'resources.subscribe' : 'resources'

/** Methods of the legacy era alone (V26-NEG-22). */
const SESSION_METHODS: ClientMethods = {
  ping: { missing: never, check: emptyResult },
  'resources/subscribe': { missing: subscribe, check: emptyResult },
  'resources/unsubscribe': { missing: subscribe, check: emptyResult },
  'logging/setLevel': { missing: needs('logging'), check: emptyResult },
}

const tasks = (declared: ServerCapabilities) => (runsTasks(declared) ? undefined : 'tasks')
const cancelsTasks = ({ tasks: declared }: ServerCapabilities) => (declared && 'cancel' in declared ? undefined : 'tasks.cancel')
const extension = (declared: ServerCapabilities) => (declared.extensions?.[TASKS] ? undefined : TASKS)

/** Tasks of 2025-11-25. */
const SESSION_TASKS: ClientMethods = {
  'tasks/get': { missing: tasks, check: task },
  'tasks/result': { missing: tasks, check: callToolResult },
  'tasks/cancel': { missing: cancelsTasks, check: emptyResult },
}

/** Tasks of the modern era's extension. */
const EXTENSION_TASKS: ClientMethods = {
  'tasks/get': { missing: extension, check: extensionTask },
  'tasks/update': { missing: extension, check: emptyResult },
  'tasks/cancel': { missing: extension, check: emptyResult },
}

/** The requests of a revision (LIFE-15, LIFE-17). */
export function clientMethods(traits: Traits): ClientMethods {
  return {
    ...(traits.session ? SESSION_METHODS : EXTENSION_TASKS),
    ...(traits.session && traits.toolExecution && SESSION_TASKS),
    'tools/list': { missing: needs('tools'), check: page('tools') },
    'tools/call': { missing: needs('tools'), check: callToolResult },
    'resources/list': { missing: needs('resources'), check: page('resources') },
    'resources/templates/list': { missing: needs('resources'), check: page('resourceTemplates') },
    'resources/read': { missing: needs('resources'), check: readResourceResult },
    'prompts/list': { missing: needs('prompts'), check: page('prompts') },
    'prompts/get': { missing: needs('prompts'), check: getPromptResult },
    'skills/list': { missing: skills, check: page('skills') },
    'skills/get': { missing: skills, check: skillResult },
    // 2024-11-05 has the method without a capability, so it may be tried (COMP-01, COMP-02).
    'completion/complete': { missing: traits.completionsCapability ? needs('completions') : never, check: completionResult },
  }
}

/** Throws RequestError `not-negotiated` when the revision lacks the method, or the server did not declare its capability. */
export function callable<Name extends ClientMethodName>(
  methods: ClientMethods,
  method: Name,
  { protocolVersion, capabilities }: { readonly protocolVersion: string; readonly capabilities: ServerCapabilities },
): ClientMethod<Name> {
  // The compiler cannot follow a generic key through the table, which maps each name to its own method.
  const entry = methods[method] as ClientMethod<Name> | undefined
  if (!entry) throw new RequestError('not-negotiated', method, `Revision ${protocolVersion} does not have ${method}.`)
  const missing = entry.missing(capabilities)
  if (missing === undefined) return entry
  throw new RequestError('not-negotiated', method, `The server did not declare ${missing}, so ${method} is not sent.`)
}

/** Turns the error of a check into RequestError `too-large` or `invalid-result`. */
export async function checkedResult<T>(method: string, check: () => T | Promise<T>): Promise<T> {
  try {
    return await check()
  } catch (error) {
    if (error instanceof LimitError) throw new RequestError('too-large', method, error.message, { cause: error })
    if (!(error instanceof ShapeError)) throw error
    const message = `The server’s answer to ${method} is not valid: ${error.message}.`
    throw new RequestError('invalid-result', method, message, { cause: error })
  }
}

/** Notifications of servers; the peer itself handles progress and cancellation. */
export type ServerNotification =
  | 'notifications/message'
  | 'notifications/resources/updated'
  | 'notifications/tools/list_changed'
  | 'notifications/resources/list_changed'
  | 'notifications/prompts/list_changed'
  | 'notifications/elicitation/complete'
  | 'notifications/subscriptions/acknowledged'
  | 'notifications/tasks/status'

export function serverNotifications(traits: Traits): ReadonlySet<string> {
  const known: ServerNotification[] = [
    'notifications/message',
    'notifications/resources/updated',
    'notifications/tools/list_changed',
    'notifications/resources/list_changed',
    'notifications/prompts/list_changed',
  ]
  if (traits.elicitationIds) known.push('notifications/elicitation/complete')
  if (traits.session && traits.toolExecution) known.push('notifications/tasks/status')
  if (!traits.session) known.push('notifications/subscriptions/acknowledged')
  return new Set(known)
}
