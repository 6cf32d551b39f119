/** Backgrounds of slices and branches, with dark text on them. */
const PALETTE = '#a5b4fc #86c7a0 #f3d27a #e8a3a3 #c4b5fd #93c5d8 #f0b48a #b5c98a #d8a7d0 #9fb3c8 #d9c2a3 #b8b8c4'.split(' ')
const ON_PALETTE = '#1b1c20'

const LIGHT = {
  background: '#ffffff',
  primaryColor: '#eeeefc',
  primaryTextColor: '#1b1c20',
  primaryBorderColor: '#868994',
  secondaryColor: '#eaf6ee',
  tertiaryColor: '#f6f6f8',
  lineColor: '#4b4e57',
  textColor: '#1b1c20',
  edgeLabelBackground: '#ffffff',
  noteBkgColor: '#fdf5dd',
  noteTextColor: '#1b1c20',
  noteBorderColor: '#a16207',
}
const DARK: typeof LIGHT = {
  background: '#17181b',
  primaryColor: '#25264a',
  primaryTextColor: '#ededf0',
  primaryBorderColor: '#74777f',
  secondaryColor: '#17301f',
  tertiaryColor: '#1d1e22',
  lineColor: '#b9bcc5',
  textColor: '#ededf0',
  edgeLabelBackground: '#17181b',
  noteBkgColor: '#352b10',
  noteTextColor: '#ededf0',
  noteBorderColor: '#eab308',
}

/** Theme variables from which Mermaid derives its other colours. */
export function colours(dark: boolean): Readonly<Record<string, unknown>> {
  const own = dark ? DARK : LIGHT
  const indexed = PALETTE.flatMap((colour, n) => [
    [`pie${n + 1}`, colour],
    [`cScale${n}`, colour],
    [`cScaleLabel${n}`, ON_PALETTE],
  ])
  return {
    ...own,
    darkMode: dark,
    fontSize: '14px',
    pieSectionTextColor: ON_PALETTE,
    pieStrokeColor: own.background,
    pieOuterStrokeWidth: '0px',
    pieOpacity: '1',
    ...Object.fromEntries(indexed),
  }
}
