import fc from 'fast-check'

/** The same cases in every run, so that a red test is about the change. FC_SEED draws others; what they find becomes a test. */
fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 20_261_120) })
