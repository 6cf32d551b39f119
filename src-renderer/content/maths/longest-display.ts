/** Maximum characters of a display formula. */
export const MAX_DISPLAY = 8_000
