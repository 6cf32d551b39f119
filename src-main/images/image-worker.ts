import { readFileSync } from 'node:fs'
import { initPhoton } from '@cf-wasm/photon/others'
import { serveJobs } from '../threads/serve-jobs.ts'
import { cappedModule } from './capped-module.ts'
import type { ImageAnswer, ImageJob } from './image-protocol.ts'
import { redraw } from './redraw.ts'

/** Bytes that redrawing the largest allowed image needs. */
const MEMORY = 1024 ** 3

/** The codec; a build has it beside its code. */
const codec = import.meta.url.endsWith('.ts')
  ? import.meta.resolve('@cf-wasm/photon/photon.wasm')
  : new URL('./photon.wasm', import.meta.url)

await initPhoton({ module_or_path: cappedModule(readFileSync(new URL(codec)), MEMORY) })
// An exception of the codec ends the thread, since its memory is undefined after a trap.
serveJobs<ImageJob, ImageAnswer>(redraw)
