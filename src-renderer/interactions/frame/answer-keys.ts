import { type RefObject, useEffect } from 'react'
import { isModified, isTyping, shownKeys } from '../../ui/fields/keys.ts'

type Answering = 'allow' | 'deny'
const KEYS: Readonly<Record<string, Answering>> = { Enter: 'allow', Backspace: 'deny' }

/** For the button that a key of a question presses. */
export const answeredBy = (is: Answering) =>
  ({
    'data-answer': is,
    'aria-keyshortcuts': is === 'allow' ? 'Control+Enter Meta+Enter' : 'Control+Backspace Meta+Backspace',
    title: shownKeys(is === 'allow' ? 'Mod+Enter' : 'Mod+Backspace'),
  }) as const

/**
 * Ctrl or Cmd with Enter or Backspace presses the button of the question that is on screen, while it can be pressed. Not from a field,
 * where they edit, and not by a key that is held down, which would answer the next question too.
 */
export function useAnswerKeys(answers: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const is = KEYS[event.key]
      if (is === undefined || !isModified(event) || event.altKey || event.shiftKey || isTyping(event)) return
      // A modal dialog in front of the question has the keys.
      const front = [...document.querySelectorAll('dialog:modal')].at(-1)
      if (front && !front.contains(answers.current)) return
      // Else Enter presses the button that has the focus, which is the other one.
      event.preventDefault()
      if (!event.repeat) answers.current?.querySelector<HTMLButtonElement>(`[data-answer="${is}"]`)?.click()
    }
    window.addEventListener('keydown', onKey, true)
    return () => window.removeEventListener('keydown', onKey, true)
  }, [answers])
}
