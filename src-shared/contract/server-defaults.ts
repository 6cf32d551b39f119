import type { ServerOptions } from './servers.ts'

/** In a file of its own, since few parts of the page need it and many need `servers.ts`. */
export const DEFAULT_SERVER_OPTIONS: ServerOptions = {
  enabled: true,
  requestTimeout: null,
  maxRequestTime: null,
  startTimeout: null,
  era: 'auto',
  draftProfile: false,
  sampling: 'ask',
  samplingBudget: { requests: 20, tokens: 100_000 },
  muted: false,
  apps: true,
  tasks: true,
  fence: null,
  keptOut: [],
  watchedSince: null,
  hiddenTools: [],
  backgroundTools: [],
  reviewResults: false,
  reviewedTools: [],
  keepRunning: false,
  restartOnChange: false,
  hintsAtCost: true,
}
