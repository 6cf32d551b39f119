import type { MessageBoxOptions } from 'electron'

export const QUIT_ANYWAY = 1

/** Asks before calls in the background are left (TASK-34). Staying is the default. */
export function quitBox(calls: readonly string[]): MessageBoxOptions {
  return {
    type: 'question',
    title: 'Parley',
    message: 'Quit while calls run in the background?',
    detail: calls.join('\n'),
    buttons: ['Stay', 'Quit'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  }
}
