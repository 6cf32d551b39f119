// node held.mjs <file>: starts only when the file is not there.
import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

while (existsSync(process.argv[2])) await pause(50)
await import('./ok.mjs')
