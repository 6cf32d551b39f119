import { EventEmitter } from 'node:events'
import { request } from 'node:http'
import { record } from './control.ts'
import { modelled, onlyKeys } from './modelled.ts'

const OPTIONS = [
  'protocol',
  'hostname',
  'port',
  'path',
  'headers',
  'redirect',
  'session',
  'method',
  'auth',
  'host',
  'agent',
  'timeout',
]

/** Electron's requests, by Node's: to this computer alone, unencrypted, and never redirected. */
export const net = modelled('net', {
  request(options: { hostname?: string; protocol?: string; path?: string; headers?: object }) {
    onlyKeys('net.request', options, OPTIONS)
    const { hostname, protocol } = options
    if (hostname !== '127.0.0.1' || protocol !== 'http:') throw new Error('not modelled: requests that leave this computer')
    record('net.request', options.path ?? '', options.headers ?? {})
    const { session: _session, redirect: _redirect, ...rest } = options as { session?: unknown; redirect?: unknown }
    return request(rest)
  },
})

/** Electron's own updater, of which electron-updater uses the events alone where it does the work itself. */
export const autoUpdater = modelled('autoUpdater', new EventEmitter())
