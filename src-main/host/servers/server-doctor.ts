import type { Diagnosis } from '../../../src-shared/contract/doctor.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { HostCore } from '../core/host-core.ts'
import { diagnose } from '../doctor/diagnose.ts'
import type { Patient } from '../doctor/patient.ts'
import type { ConfiguredServer } from './configured-server.ts'
import type { ConfiguredServers } from './configured-servers.ts'

/** Looks at servers when a person asks why one does not work. */
export class ServerDoctor {
  readonly #core: Pick<HostCore, 'clock' | 'platform'>
  readonly #servers: ConfiguredServers

  constructor(core: Pick<HostCore, 'clock' | 'platform'>, servers: ConfiguredServers) {
    this.#core = core
    this.#servers = servers
  }

  /** Throws HostError `not-found`. */
  diagnose(serverId: ServerId, signal: AbortSignal): Promise<Diagnosis> {
    return diagnose(this.#patient(this.#servers.get(serverId), signal))
  }

  #patient(server: ConfiguredServer, signal: AbortSignal): Patient {
    const { clock, platform } = this.#core
    const { record } = server
    const { state } = record
    const problem = 'problem' in state ? state.problem : record.problem
    return {
      record,
      ...(problem && { problem }),
      allowed: server.supervisor.allowed,
      os: platform.os,
      version: platform.version,
      now: clock.now(),
      redact: (text) => server.log.clean(text),
      signal,
    }
  }
}
