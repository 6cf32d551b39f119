import type { MessageBoxOptions } from 'electron'
import type { DamagedChoice } from '../damaged-choice.ts'

export const QUIT = 0
export const START = 1

/** Asks for the replacement of an unreadable database. Quitting is the default. */
export function damagedBox({ title, detail, start }: DamagedChoice): MessageBoxOptions {
  return {
    type: 'error',
    title: 'Parley',
    message: title,
    detail,
    buttons: ['Quit', start],
    defaultId: QUIT,
    cancelId: QUIT,
    noLink: true,
  }
}
