declare const __PARLEY_VERSION__: string

/** From package.json through the build; the sources have none. */
export const version = typeof __PARLEY_VERSION__ === 'string' ? __PARLEY_VERSION__ : '0.0.0-source'
