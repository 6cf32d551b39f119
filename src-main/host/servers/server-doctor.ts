import { defined } from '../../../src-shared/base/defined.ts'
import type { Diagnosis } from '../../../src-shared/contract/doctor.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { AddressLook } from '../../transports/http/address-look.ts'
import type { HostCore } from '../core/host-core.ts'
import { diagnose } from '../doctor/diagnose.ts'
import { type DiagnosisTarget, inTime } from '../doctor/diagnosis-target.ts'
import type { ConfiguredServer } from './configured-server.ts'
import type { ConfiguredServers } from './configured-servers.ts'

type Core = Pick<HostCore, 'clock' | 'platform' | 'environment' | 'connector'>

/** Diagnoses a server when a person asks why it does not work. */
export class ServerDoctor {
  readonly #core: Core
  readonly #servers: ConfiguredServers

  constructor(core: Core, servers: ConfiguredServers) {
    this.#core = core
    this.#servers = servers
  }

  /** A finding that says more than the server's failure replaces it in the server's state. Throws HostError `not-found`. */
  async diagnose(serverId: ServerId, signal: AbortSignal): Promise<Diagnosis> {
    const server = this.#servers.get(serverId)
    const { state } = server.record
    const diagnosis = await diagnose(await this.#target(server, signal))
    if (diagnosis.finding && server.record.state === state) server.supervisor.foundOut(diagnosis.finding)
    return diagnosis
  }

  async #target(server: ConfiguredServer, signal: AbortSignal): Promise<DiagnosisTarget> {
    const { record, log } = server
    const { state, launch } = record
    const { allowed, program } = await server.supervisor.examine()
    const problem = 'problem' in state ? state.problem : record.problem
    let address: Promise<AddressLook | undefined> | undefined
    const contact = allowed && launch.type === 'remote' && (state.is === 'failed' || state.is === 'restarting')
    return {
      ...this.#core,
      record,
      allowed,
      ...defined({ problem, program }),
      oddities: log.since(0, 'host'),
      address: () => {
        address ??= contact ? this.#look(launch.url, signal) : Promise.resolve(undefined)
        return address
      },
      redact: (text) => log.clean(text),
      signal,
    }
  }

  #look(url: string, signal: AbortSignal): Promise<AddressLook | undefined> {
    const { clock, connector } = this.#core
    // An address that could not be examined is reported as not reached.
    return inTime({ clock, signal }, (limited) => connector.look(url, limited)).catch(() => undefined)
  }
}
