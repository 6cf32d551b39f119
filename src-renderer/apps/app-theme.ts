import { useSyncExternalStore } from 'react'
import { useHost } from '../state/host-store.ts'

/** Names of MCP Apps 2026-01-26 (theming), and the measure or colour of ours that stands for each. */
const VARIABLES: Readonly<Record<string, string>> = {
  '--color-background-primary': '--ground',
  '--color-background-secondary': '--ground-low',
  '--color-background-tertiary': '--ground-hover',
  '--color-background-info': '--accent-wash',
  '--color-background-danger': '--fail-wash',
  '--color-background-success': '--ok-wash',
  '--color-background-warning': '--wait-wash',
  '--color-text-primary': '--ink',
  '--color-text-secondary': '--ink-soft',
  '--color-text-tertiary': '--idle',
  '--color-text-info': '--accent',
  '--color-text-danger': '--fail',
  '--color-text-success': '--ok',
  '--color-text-warning': '--wait',
  '--color-border-primary': '--control-edge',
  '--color-border-secondary': '--hairline',
  '--color-border-danger': '--fail-edge',
  '--color-border-success': '--ok-edge',
  '--color-border-warning': '--wait-edge',
  '--color-ring-primary': '--accent',
  '--border-radius-sm': '--radius-control',
  '--border-radius-md': '--radius-control',
  '--border-radius-lg': '--radius-card',
}

/** The page's colours and measures under the names that views know. Colours are `light-dark()` pairs. */
export function appVariables(): Readonly<Record<string, string>> {
  const ours = getComputedStyle(document.documentElement)
  const values = Object.entries(VARIABLES).map(([name, own]) => [name, ours.getPropertyValue(own).trim()] as const)
  return { ...Object.fromEntries(values), '--font-sans': 'system-ui, sans-serif', '--font-mono': 'ui-monospace, monospace' }
}

/** The theme in force: the person's choice, or the system's, whose change is followed. */
export function useThemeNow(): 'light' | 'dark' {
  const chosen = useHost((mirror) => mirror.host.settings.theme)
  const isDark = useSyncExternalStore(onSystemTheme, () => systemDark.matches)
  if (chosen !== 'system') return chosen
  return isDark ? 'dark' : 'light'
}

const systemDark = matchMedia('(prefers-color-scheme: dark)')

function onSystemTheme(changed: () => void): () => void {
  systemDark.addEventListener('change', changed)
  return () => systemDark.removeEventListener('change', changed)
}
