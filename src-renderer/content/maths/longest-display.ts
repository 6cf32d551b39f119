/** Characters of a formula on lines of its own; a longer one is none. */
export const MAX_DISPLAY = 8_000
