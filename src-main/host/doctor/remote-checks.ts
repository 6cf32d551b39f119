import { TransportError } from '../../protocol/peer/transport.ts'
import type { CertificateLook } from '../../transports/http/address-look.ts'
import type { Connector } from '../../transports/http/connector.ts'
import { checkedUrl, type HttpRequest, mediaType } from '../../transports/http/http-fetch.ts'
import {
  type Checker,
  type DiagnosisTarget,
  failed,
  inTime,
  isConnected,
  notReached,
  passed,
  warning,
} from './diagnosis-target.ts'
import { refusedProblem, unreachableProblem } from './remote-problems.ts'

/** Clocks differ by some minutes; more breaks certificates and sign-ins. */
const CLOCK_TOLERANCE = 10 * 60_000

const urlOf = ({ record: { launch } }: DiagnosisTarget): string => (launch.type === 'remote' ? launch.url : '')

const address: Checker = (target) => {
  try {
    return passed(`${checkedUrl(urlOf(target)).host} is allowed.`)
  } catch (error) {
    if (error instanceof TransportError) return failed(refusedProblem(error, urlOf(target)))
    throw error
  }
}

const name: Checker = async (target, reached) => {
  const { host, hostname } = new URL(urlOf(target))
  const look = await target.address()
  if (look?.proxy !== undefined) return undefined
  if (!look?.addresses) return reached ? passed(`${host} resolves.`) : notReached()
  const [first] = look.addresses
  if (first !== undefined) return passed(first === hostname ? `${host} is an address.` : `${hostname} is ${first}.`)
  const error = new TransportError('unreachable', `${hostname} does not resolve.`, { errno: 'ENOTFOUND' })
  return failed(unreachableProblem(error, target.record.name, urlOf(target)))
}

const proxy: Checker = async (target) => {
  const look = await target.address()
  return look?.proxy === undefined ? undefined : passed(`The connection uses the proxy ${look.proxy}.`)
}

const clock: Checker = async (target) => {
  const look = await target.address()
  if (look?.date === undefined) return undefined
  const ahead = target.clock.now() - look.date
  if (Math.abs(ahead) < CLOCK_TOLERANCE) return passed('The clock of this computer agrees with the server’s.')
  const what = `The clock of this computer is ${spanOf(Math.abs(ahead))} ${ahead > 0 ? 'ahead of' : 'behind'} the server’s.`
  const todo = 'Set the date and time of this computer, then start the server again.'
  const problem = { code: 'clock-off', what, todo, remedies: [{ is: 'start' } as const] }
  const matters = ['certificate-expired', 'certificate-early'].includes(target.problem?.code ?? '')
  return matters ? failed(problem) : warning(problem)
}

function spanOf(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 120) return `${minutes} minutes`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`
}

const certificate: Checker = async (target, reached) => {
  if (!urlOf(target).startsWith('https:')) return undefined
  const look = await target.address()
  const { problem } = target
  if (problem?.code.startsWith('certificate-') && look?.certificate) {
    return failed({ ...problem, said: certificateWords(look.certificate) })
  }
  return reached ? passed('Its certificate is trusted.') : notReached()
}

const certificateWords = ({ names, issuer, from, to }: CertificateLook): string =>
  `It is for ${names.join(', ') || 'no name'}, issued by ${issuer}, valid from ${from} to ${to}.`

/** Tries the usual paths of the same origin when nothing is at the configured one. */
const answer: Checker = async (target, reached) => {
  const { problem, allowed } = target
  if (!allowed || isConnected(target) || !problem || !['http-404', 'http-405', 'web-page'].includes(problem.code)) {
    return reached ? passed('Its address answers.') : notReached()
  }
  const other = await inTime(target, (signal) => otherEndpoint(urlOf(target), target.connector, signal))
  if (other === undefined) return failed(problem)
  const remedies = [{ is: 'use-address', url: other } as const, ...(problem.remedies ?? [])].slice(0, 3)
  return failed({ ...problem, todo: `There may be an MCP server at ${other}. Use that address.`, remedies })
}

const signIn: Checker = ({ record }) => (record.signIn?.is === 'signed-in' ? passed('You are signed in.') : undefined)

export const REMOTE_CHECKERS = { address, name, proxy, clock, certificate, answer, 'sign-in': signIn }

const PATHS = ['/mcp', '/sse', '/mcp/', '/api/mcp', '/']
/** Statuses by which an endpoint refuses a request that it does not understand or authorize. */
const REFUSALS = [400, 401, 403, 406, 415, 422]
const PROBE = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })

/** Another path of the same origin that answers like MCP; undefined also when `signal` aborts. No configured header is sent. */
async function otherEndpoint(
  url: string,
  connector: Pick<Connector, 'request'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { origin, pathname } = new URL(url)
  for (const path of PATHS) {
    const at = `${origin}${path}`
    if (signal.aborted) return undefined
    if (path !== pathname && (await answers(at, connector, signal))) return at
  }
  return undefined
}

async function answers(url: string, connector: Pick<Connector, 'request'>, signal: AbortSignal): Promise<boolean> {
  const posted = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const told = await statusOf({ method: 'POST', url, headers: posted, body: PROBE, signal }, connector)
  if (told && told.type !== 'text/html' && (REFUSALS.includes(told.status) || (told.status === 200 && told.type !== '')))
    return true
  const streamed = await statusOf({ method: 'GET', url, headers: { accept: 'text/event-stream' }, signal }, connector)
  return streamed?.status === 200 && streamed.type === 'text/event-stream'
}

async function statusOf(request: HttpRequest, connector: Pick<Connector, 'request'>) {
  try {
    const response = await connector.request(request)
    response.body.destroy()
    return { status: response.status, type: mediaType(response) }
  } catch {
    return undefined
  }
}
