import { z } from 'zod'
import { hostPattern, patternText } from '../../../src-shared/base/host-pattern.ts'
import known from './known-fences.json' with { type: 'json' }

/** The reach that a published server needs by its code, by its name among the known servers. */
export type KnownFence = z.output<ReturnType<typeof knownFence>>
const knownFence = () =>
  z.strictObject({
    network: z.union([z.literal('none'), z.strictObject({ hosts: z.array(host()).min(1).readonly() })]),
    /** `arguments`: the folders that it is started with. */
    folders: z.enum(['none', 'arguments']),
  })

const host = () =>
  z.string().refine((text) => {
    const pattern = hostPattern(text)
    return !('problem' in pattern) && patternText(pattern) === text
  })

export const KNOWN_FENCES: ReadonlyMap<string, KnownFence> = new Map(
  Object.entries(z.record(z.string(), knownFence()).parse(known)),
)
