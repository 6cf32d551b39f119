import type { MessageBoxOptions } from 'electron'
import type { DamagedChoice } from '../damaged-choice.ts'

export const QUIT = 0
export const START = 1

/** The box that asks what takes the place of a database that nothing can be read of. Quitting is the default. */
export function damagedBox({ title, detail, start }: DamagedChoice): MessageBoxOptions {
  return {
    ...{ type: 'error', title: 'Parley', message: title, detail },
    ...{ buttons: ['Quit', start], defaultId: QUIT, cancelId: QUIT, noLink: true },
  }
}
