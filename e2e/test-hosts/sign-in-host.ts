import { onTestFinished } from 'vitest'
import type { ServerSignIn } from '../../src-shared/contract/authorization.ts'
import type { ServerId } from '../../src-shared/contract/ids.ts'
import type { InteractionOf } from '../../src-shared/contract/interactions.ts'
import { type AuthBehaviour, AuthServer } from '../servers/auth-server.ts'
import { ProtectedServer, type Protection } from '../servers/protected-server.ts'
import { browse, type Ended } from '../support/browse.ts'
import { until } from '../support/until.ts'
import { ServerHost, type ServerHostOptions } from './server-host.ts'

/** A host, a server that requires sign-in, and its authorization server, all real and on loopback. */
export class SignInHost {
  readonly host: ServerHost
  readonly auth: AuthServer
  readonly server: ProtectedServer
  readonly name = 'guarded' as ServerId

  private constructor(host: ServerHost, auth: AuthServer, server: ProtectedServer) {
    this.host = host
    this.auth = auth
    this.server = server
  }

  static async open(
    behaviour: Partial<AuthBehaviour> = {},
    protection: Partial<Protection> = {},
    options: ServerHostOptions = {},
  ): Promise<SignInHost> {
    const { auth, server } = await guarded(behaviour, protection)
    return new SignInHost(await ServerHost.open(options), auth, server)
  }

  /** For a server that is its own authorization server. */
  static async of(server: ProtectedServer): Promise<SignInHost> {
    return new SignInHost(await ServerHost.open(), server.auth, server)
  }

  /** Another host over the same folder, as after a restart. */
  async restarted(): Promise<SignInHost> {
    await this.host.end()
    const host = await ServerHost.open({ folder: this.host.folder })
    return new SignInHost(host, this.auth, this.server)
  }

  /** Adds the server and allows it; the sign-in comes next. */
  async add(headers: Readonly<Record<string, { readonly text: string }>> = {}, name: string = this.name): Promise<void> {
    const launch = { type: 'remote' as const, url: this.server.url, headers }
    // Connects with each start of the host, as a person sees it who keeps it running.
    await this.host.host.servers.edits.add({ name, launch, options: { keepRunning: true } })
    await this.host.answer(name, 'allow')
  }

  get signIn(): ServerSignIn | undefined {
    return this.host.record(this.name).signIn
  }

  /** The open question about a sign-in, at this step. */
  question(step: 'ask' | 'waiting' = 'ask'): Promise<InteractionOf<'authorization'>> {
    return until(
      () =>
        this.host.host.state.snapshot.interactions.find(
          (open): open is InteractionOf<'authorization'> => open.kind === 'authorization' && open.question.step === step,
        ),
      `a question about a sign-in (${step})`,
    )
  }

  answer({ id }: { readonly id: InteractionOf<'authorization'>['id'] }, decision: 'continue' | 'cancel'): void {
    this.host.host.interactions.answer({ id, kind: 'authorization', answer: { decision } })
  }

  /** Agrees and follows the browser's redirects. Resolves with the last page. */
  async signInOnce(): Promise<Ended> {
    const question = await this.question()
    this.answer(question, 'continue')
    return browse(question.question.url)
  }

  /** Adds it, signs in, and waits until it is ready. */
  async ready(): Promise<void> {
    await this.add()
    await this.signInOnce()
    await this.host.until(this.name, 'ready')
  }

  call(tool = 'whoami'): Promise<string> {
    return this.host.call(this.name, tool)
  }
}

export async function guarded(
  behaviour: Partial<AuthBehaviour> = {},
  protection: Partial<Protection> = {},
): Promise<{ auth: AuthServer; server: ProtectedServer }> {
  const auth = await AuthServer.start(behaviour)
  onTestFinished(() => auth.stop())
  const server = await ProtectedServer.start(auth, protection)
  onTestFinished(() => server.stop())
  return { auth, server }
}
