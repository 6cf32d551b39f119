export interface SectionLabels {
  readonly title: string
  readonly about?: string
  /** Further words to find the section by. */
  readonly words?: string
}

/** The sections in order, by their name in addresses. */
export const SECTIONS = {
  models: {
    title: 'Models',
    about: 'Keys are stored and never shown.',
    words: 'AI LLM provider API key token Anthropic OpenAI Ollama Claude GPT gateway headers',
  },
  instructions: { title: 'Instructions', about: 'Given to the model in every conversation.', words: 'system prompt custom' },
  skills: {
    title: 'Skills',
    about:
      'Guidance for kinds of tasks, from your folders with a SKILL.md or from servers. Turned on here for new conversations.',
    words: 'SKILL.md instructions folder agent',
  },
  schedules: {
    title: 'Schedules',
    about: 'Prompts that run by themselves while Parley is open. What needs your answer waits in the Inbox.',
    words: 'cron timer recurring automatic unattended daily hourly',
  },
  notes: {
    title: 'Notes',
    about: 'Saved answers. Type @ in a message to attach one.',
  },
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
} as const satisfies Readonly<Record<string, SectionLabels>>

export type SectionId = keyof typeof SECTIONS

/** The sections of this window; only the desktop app has Desktop. */
export function sectionsFor(desktop: boolean): readonly (readonly [SectionId, SectionLabels])[] {
  return (Object.entries(SECTIONS) as [SectionId, SectionLabels][]).filter(([id]) => desktop || id !== 'desktop')
}

/** The section that an address names; the first for none, or for one that this window does not have. */
export function sectionOf(id: string | undefined, desktop: boolean): SectionId {
  return sectionsFor(desktop).find(([known]) => known === id)?.[0] ?? 'models'
}
