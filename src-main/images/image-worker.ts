import { readFileSync } from 'node:fs'
import { initPhoton } from '@cf-wasm/photon/others'
import { serveJobs } from '../threads/serve-jobs.ts'
import { cappedModule } from './capped-module.ts'
import type { ImageAnswer, ImageJob } from './image-protocol.ts'
import { redraw } from './redraw.ts'

/** Memory that redrawing the largest admitted image needs. */
const MEMORY = 1024 ** 3

/** A build has the codec beside its code. */
const codec = import.meta.url.endsWith('.ts')
  ? import.meta.resolve('@cf-wasm/photon/photon.wasm')
  : new URL('./photon.wasm', import.meta.url)

await initPhoton({ module_or_path: cappedModule(readFileSync(new URL(codec)), MEMORY) })
// An exception of the codec ends the thread: after a trap, its memory is in no known state.
serveJobs<ImageJob, ImageAnswer>(redraw)
