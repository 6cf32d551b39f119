declare const __PARLEY_VERSION__: string

/** From package.json by way of the build; source that runs unbuilt has none. */
export const version = typeof __PARLEY_VERSION__ === 'string' ? __PARLEY_VERSION__ : '0.0.0-source'
