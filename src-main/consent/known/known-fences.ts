import { z } from 'zod'
import { hostPattern, patternText } from '../../../src-shared/base/host-pattern.ts'
import known from './known-fences.json' with { type: 'json' }

/** The reach that a published server needs by its code, by its name among the known servers. */
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

/** `unless`: the variable that names a file for it to write instead. */
const openServer = () => z.union([z.string(), z.strictObject({ name: z.string(), unless: z.string() })])

const knownFences = () =>
  z.strictObject({ fences: z.record(z.string(), knownFence()), open: z.record(z.string(), z.array(openServer())) })

const { fences, open } = knownFences().parse(known)

export const KNOWN_FENCES: ReadonlyMap<string, z.output<ReturnType<typeof knownFence>>> = new Map(Object.entries(fences))

/** Why published servers do not work behind a fence, by name. */
export const OPEN_SERVERS: ReadonlyMap<string, { readonly why: string; readonly unless?: string }> = new Map(
  Object.entries(open).flatMap(([why, servers]) =>
    servers.map((one) => (typeof one === 'string' ? [one, { why }] : [one.name, { why, unless: one.unless }])),
  ),
)
