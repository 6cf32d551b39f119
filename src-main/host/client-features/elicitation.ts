import { webAddress } from '../../../src-shared/base/web-address.ts'
import type { InteractionId, ServerId } from '../../../src-shared/contract/ids.ts'
import type { AnswerTo, QuestionOf } from '../../../src-shared/contract/interactions.ts'
import { checkContent, type PatternEngine } from '../../../src-shared/forms/check-form.ts'
import { fieldsOfElicitation } from '../../../src-shared/forms/form-fields.ts'
import { asksForSecret, namesSecret } from '../../../src-shared/forms/secret-words.ts'
import type {
  ElicitFormParams,
  ElicitParams,
  ElicitResult,
  ElicitUrlParams,
  ElicitValue,
} from '../../../src-shared/mcp/client-requests.ts'
import type { Cause } from '../../protocol/peer/client-features.ts'
import { ProtocolError } from '../../protocol/shapes/json-rpc.ts'
import type { CallInFlight } from '../connection/calls-in-flight.ts'
import { cut } from '../core/content-views.ts'
import type { HostCore } from '../core/host-core.ts'
import { InteractionExpired } from '../core/interactions.ts'
import type { Platform } from '../core/platform.ts'
import { MIN_SECRET_LENGTH } from '../core/redact.ts'
import type { Servers } from '../servers/servers.ts'
import { AnswersByCall } from './answers-by-call.ts'
import { refusals } from './refusals.ts'
import type { AskContext, ServerQuestions } from './server-questions.ts'

/** Characters of a message, and bytes of a form. */
const MESSAGE_LIMIT = 4_000
const FORM_LIMIT = 20 * 1024
const URL_LIMIT = 8_000

interface ElicitationParts extends Pick<HostCore, 'interactions' | 'state' | 'clock' | 'platform'> {
  readonly questions: ServerQuestions
  readonly servers: Servers
}

interface Visit {
  readonly elicitationId: string | undefined
  readonly host: string
  readonly message: string
  readonly completed: boolean
}

type Prepared = ReturnType<typeof urlQuestion>

/** The server reported the visit as done before the person answered. */
class DoneElsewhere extends Error {}

/** An open question whether to try a call again, with the visits that it waits for. */
interface Waiting {
  readonly id: InteractionId
  readonly tool: string
  readonly visited: readonly Visit[]
}

/** Asks a person for a server's form or visit (ELIC-03 to ELIC-15). Answers are passed on and never stored. */
export class Elicitation {
  readonly #parts: ElicitationParts
  readonly #waiting = new Map<ServerId, Set<Waiting>>()
  readonly #given = new AnswersByCall()
  /** Open questions to visit an address. */
  readonly #addresses = new Set<{
    readonly serverId: ServerId
    readonly elicitationId: string | undefined
    readonly done: AbortController
  }>()

  constructor(parts: ElicitationParts) {
    this.#parts = parts
  }

  /** Throws ProtocolError for a question that cannot be shown. */
  judge(params: ElicitParams): void {
    if (params.mode === 'url') urlQuestion(params, this.#parts.platform)
    else formQuestion(params)
  }

  /** Rejects with the ProtocolError that the server gets; a refusal is a result (ELIC-15). */
  async elicit(serverId: ServerId, params: ElicitParams, cause: Cause): Promise<ElicitResult> {
    const prepared = params.mode === 'url' ? urlQuestion(params, this.#parts.platform) : formQuestion(params)
    const asked = this.#parts.questions.attributionOf(serverId, cause)
    const known = this.#given.of(asked.call)
    const again = prepared.kind === 'elicitation-url' && known?.opened.has(prepared.question.url)
    // A repeated request for an opened address continues the answered question (V26-ELIC-9).
    if (!again) this.#parts.questions.admit(serverId)
    try {
      if (prepared.kind === 'elicitation-url') {
        const answer = await this.#askUrl(serverId, again ? askedAgain(prepared) : prepared, asked)
        if (answer.action === 'accept') known?.opened.add(prepared.question.url)
        return answer
      }
      const { question, checkWith } = prepared
      const check = checkWith(await formPatterns())
      const typed = known?.typedFor(question)
      const shown = typed ? { ...question, again: true as const } : question
      const answer = await this.#parts.questions.ask('elicitation-form', asked, shown, { check, ...(typed && { draft: typed }) })
      known?.submitted(question, answer)
      // Secrets are registered before the answer is sent, because sending logs it.
      if (answer.action === 'accept') {
        const typed = typedSecrets(question.secrets, answer.content ?? {})
        this.#parts.servers.configured.find(serverId)?.authorization.protect(typed)
      }
      return answer
    } catch (error) {
      if (error instanceof ProtocolError) throw error
      const over = error instanceof InteractionExpired || error instanceof DoneElsewhere || asked.signal.aborted
      if (over) return { action: 'cancel' }
      throw error
    }
  }

  /** Ends the open question about a visit that the server reports as done. */
  completed(serverId: ServerId, elicitationId: string): void {
    for (const open of [...this.#addresses]) {
      if (open.serverId === serverId && open.elicitationId === elicitationId) open.done.abort(new DoneElsewhere())
    }
    for (const waiting of this.#waiting.get(serverId) ?? []) {
      if (!waiting.visited.some((visit) => visit.elicitationId === elicitationId)) continue
      const visited = waiting.visited.map((visit) =>
        visit.elicitationId === elicitationId ? { ...visit, completed: true } : visit,
      )
      this.#put(serverId, { ...waiting, visited })
    }
  }

  /**
   * Asks the person to visit the addresses that a refused call requires (error -32042), then whether to try again. True only if they said
   * so.
   */
  async visits(
    serverId: ServerId,
    required: readonly ElicitUrlParams[],
    call: Pick<CallInFlight, 'tool' | 'origin' | 'signal'>,
  ): Promise<boolean> {
    const { questions } = this.#parts
    const { about } = questions.attributionOf(serverId, { signal: call.signal, candidates: [] })
    const where = call.origin ? { conversationId: call.origin.conversationId, toolCallId: call.origin.toolCallId } : {}
    const cause = `“${cut(call.tool, 80)}” needs it before it can be called.`
    const asked: AskContext = { about: { ...about, ...where, cause }, signal: call.signal }
    try {
      questions.admit(serverId)
      const visited: Visit[] = []
      for (const params of required) {
        const prepared = urlQuestion(params, this.#parts.platform)
        const done = await this.#visit(serverId, prepared, asked)
        if (done === 'not') return false
        const { host, message } = prepared.question
        visited.push({ elicitationId: params.elicitationId, host, message: cut(message, 300), completed: done === 'completed' })
      }
      return await this.#askAgain(serverId, call.tool, visited, asked)
    } catch (error) {
      if (error instanceof InteractionExpired || error instanceof ProtocolError) return false
      throw error
    }
  }

  async #visit(serverId: ServerId, prepared: Prepared, asked: AskContext): Promise<'opened' | 'completed' | 'not'> {
    try {
      return (await this.#askUrl(serverId, prepared, asked)).action === 'accept' ? 'opened' : 'not'
    } catch (error) {
      if (error instanceof DoneElsewhere) return 'completed'
      throw error
    }
  }

  async #askAgain(serverId: ServerId, tool: string, visited: readonly Visit[], asked: AskContext): Promise<boolean> {
    let opened: InteractionId | undefined
    try {
      const answer = await this.#parts.questions.ask('call-again', asked, againQuestion(tool, visited), {
        continues: true,
        onOpen: (id) => {
          opened = id
          this.#put(serverId, { id, tool, visited })
        },
      })
      return answer.decision === 'again'
    } finally {
      this.#drop(serverId, opened)
    }
  }

  #put(serverId: ServerId, waiting: Waiting): void {
    this.#drop(serverId, waiting.id)
    const all = this.#waiting.get(serverId) ?? new Set()
    this.#waiting.set(serverId, all.add(waiting))
    this.#parts.interactions.change(waiting.id, 'call-again', againQuestion(waiting.tool, waiting.visited))
  }

  #drop(serverId: ServerId, id: InteractionId | undefined): void {
    const all = this.#waiting.get(serverId)
    for (const waiting of all ?? []) if (waiting.id === id) all?.delete(waiting)
    if (all?.size === 0) this.#waiting.delete(serverId)
  }

  /** Opening the address accepts it. The host opens it on the desktop; elsewhere the page has already done so. */
  async #askUrl(serverId: ServerId, { question, elicitationId }: Prepared, asked: AskContext): Promise<ElicitResult> {
    const open = { serverId, elicitationId, done: new AbortController() }
    this.#addresses.add(open)
    const signal = AbortSignal.any([asked.signal, open.done.signal])
    const { action } = await this.#parts.questions
      .ask('elicitation-url', { ...asked, signal }, question, { continues: question.again ?? false })
      .finally(() => this.#addresses.delete(open))
    if (action === 'again') return { action: 'accept' }
    if (action !== 'accept') return { action }
    if (question.opens === 'host') {
      try {
        await this.#parts.platform.openExternal(question.url)
      } catch (error) {
        const said = error instanceof Error ? cut(error.message, 300) : String(error)
        const problem = { code: 'address-not-opened', what: `“${question.host}” could not be opened.`, said }
        this.#parts.state.notice(
          'warning',
          { ...problem, todo: 'Try again, or open it in your browser yourself.' },
          this.#parts.clock.now(),
        )
        return { action: 'cancel' }
      }
    }
    return { action: 'accept' }
  }
}

function againQuestion(tool: string, visited: readonly Visit[]): QuestionOf<'call-again'> {
  return { tool: cut(tool, 200), visited: visited.map(({ host, message, completed }) => ({ host, message, completed })) }
}

function formQuestion({ message, requestedSchema }: ElicitFormParams) {
  const form = fieldsOfElicitation(requestedSchema)
  if (!form.ok) throw refusals.invalid(form.problem)
  if (Buffer.byteLength(JSON.stringify(requestedSchema)) > FORM_LIMIT) throw refusals.invalid('The form is too large to show.')
  const secrets = form.fields.flatMap((field) => (field.kind === 'text' && field.secret ? [field.name] : []))
  const question: QuestionOf<'elicitation-form'> = {
    message: cut(message, MESSAGE_LIMIT),
    schema: requestedSchema,
    multiSelect: true,
    secrets,
    asksForSecret: asksForSecret(message) || secrets.length > 0 || namesSecret(String(requestedSchema.title ?? '')),
  }
  const checkWith =
    (patterns: PatternEngine) =>
    (answer: AnswerTo<'elicitation-form'>): string | undefined => {
      if (answer.action !== 'accept') return undefined
      const content: Readonly<Record<string, ElicitValue>> = answer.content ?? {}
      const verdict = checkContent(form.fields, content, patterns)
      if (verdict.ok) return undefined
      return [...verdict.errors]
        .slice(0, 5)
        .map(([name, error]) => `${cut(name, 60)}: ${error}.`)
        .join(' ')
    }
  return { kind: 'elicitation-form', question, checkWith } as const
}

/** Values of these fields to redact; a value that is too short to search for is redacted together with its name. */
function typedSecrets(fields: readonly string[], content: Readonly<Record<string, ElicitValue>>): readonly string[] {
  return fields.flatMap((name) => {
    const value = Object.hasOwn(content, name) ? content[name] : undefined
    if (typeof value !== 'string' || value === '') return []
    return [value.length < MIN_SECRET_LENGTH ? JSON.stringify({ [name]: value }).slice(1, -1) : value]
  })
}

function askedAgain(prepared: Prepared): Prepared {
  return { ...prepared, question: { ...prepared.question, again: true } }
}

function urlQuestion({ url, message, elicitationId }: ElicitUrlParams, { shell }: Pick<Platform, 'shell'>) {
  const address = url.length <= URL_LIMIT ? webAddress(url) : undefined
  if (!address || address.href.length > URL_LIMIT)
    throw refusals.invalid('url must be an http or https address of bounded length')
  const question: QuestionOf<'elicitation-url'> = {
    message: cut(message, MESSAGE_LIMIT),
    url: address.href,
    host: address.host,
    warnings: address.warnings,
    opens: shell === 'electron' ? 'host' : 'page',
  }
  return { kind: 'elicitation-url', question, elicitationId } as const
}

/**
 * Compiles servers' patterns with an engine of linear time; a pattern that it does not support is not checked (ELIC-21). The engine loads
 * with the first form.
 */
async function formPatterns(): Promise<PatternEngine> {
  const { RE2JS } = await import('re2js')
  return (pattern) => {
    try {
      const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern))
      return (text) => compiled.test(text)
    } catch {
      return undefined
    }
  }
}
