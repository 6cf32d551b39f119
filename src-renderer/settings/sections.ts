export interface SectionWords {
  readonly title: string
  readonly about?: string
  /** Other words that people search for. */
  readonly words?: string
}

/** The sections of the settings, in their order, by what an address names them. */
export const SECTIONS = {
  models: {
    title: 'Models',
    about: 'Keys are stored and never shown.',
    words: 'AI LLM provider API key token Anthropic OpenAI Ollama Claude GPT gateway headers',
  },
  instructions: { title: 'Instructions', about: 'Given to the model in every conversation.', words: 'system prompt custom' },
  consent: {
    title: 'Consent rules',
    about: 'A rule that allows applies until the tool or its server changes. Rules that ask or deny come first.',
    words: 'permissions allow deny always approve',
  },
  ledger: {
    title: 'Ledger',
    about: 'Every decision about a tool call. Append-only; kept after a conversation is deleted.',
    words: 'audit history log',
  },
  appearance: { title: 'Appearance' },
  shortcuts: { title: 'Shortcuts', words: 'keyboard keys hotkeys' },
  desktop: { title: 'Desktop', words: 'tray login notifications update spelling' },
  turns: { title: 'Turns' },
  servers: { title: 'Timeouts', about: 'Defaults for servers without their own.', words: 'MCP timeout slow' },
  network: {
    title: 'Network',
    about: 'How Parley reaches model providers, remote servers and where you sign in.',
    words: 'proxy certificate TLS CA internet',
  },
  data: {
    title: 'Data',
    about: 'Everything Parley stores is in one folder.',
    words: 'backup restore export storage folder delete',
  },
  privacy: { title: 'Privacy', words: 'telemetry tracking sends' },
  security: { title: 'Security' },
  about: { title: 'About', words: 'version license help report problem bug' },
} as const satisfies Readonly<Record<string, SectionWords>>

export type SectionId = keyof typeof SECTIONS

/** Those of this window: only the desktop app has its own. */
export function sectionsFor(desktop: boolean): readonly (readonly [SectionId, SectionWords])[] {
  return (Object.entries(SECTIONS) as [SectionId, SectionWords][]).filter(([id]) => desktop || id !== 'desktop')
}

/** Shows a section from its head on and puts the focus there; nothing happens for a name that no section has. */
export function goToSection(id: string): void {
  const section = document.querySelector(`[data-section="${CSS.escape(id)}"]`)
  section?.scrollIntoView()
  section?.querySelector('h2')?.focus({ preventScroll: true })
}
