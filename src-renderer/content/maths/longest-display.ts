/** Characters of a formula on lines of its own; a longer one is none. */
export const LONGEST_DISPLAY = 8_000
