/** Moves the focus to a message, whose calls and versions Tab then reaches. */
export function focusMessage(message: HTMLElement): void {
  message.tabIndex = -1
  message.focus()
}

/** Moves the focus from the messages to the message field, and from anywhere else to the last message. */
export function crossToMessages(): void {
  // The palette gives the focus back first.
  requestAnimationFrame(() => {
    const last = [...document.querySelectorAll<HTMLElement>('.messages article')].at(-1)
    if (document.activeElement?.closest('.messages')) document.querySelector<HTMLElement>('.composer-text')?.focus()
    else if (last) focusMessage(last)
  })
}
