import { EventEmitter } from 'node:events'
import { modelled } from './modelled.ts'

/** Every channel that the app listens on; a test asserts that it is one. */
export const ipcEvents = new EventEmitter()

export const ipcMain = modelled('ipcMain', {
  on: (channel: string, listen: (...args: unknown[]) => void) => void ipcEvents.on(channel, listen),
  off: (channel: string, listen: (...args: unknown[]) => void) => void ipcEvents.off(channel, listen),
})
