/**
 * Keys that an input method takes while it composes belong to it alone: Enter picks a candidate there, and must not send, run or save.
 * Call it before anything else listens.
 */
export function leaveKeysToComposing(page: Window): void {
  page.addEventListener(
    'keydown',
    (event) => {
      // Safari ends the composition before it tells of the key that ended it.
      if (event.isComposing || event.keyCode === 229) event.stopImmediatePropagation()
    },
    true,
  )
}
