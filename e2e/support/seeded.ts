import fc from 'fast-check'

/** Uses the same cases in every run, so that a failure is caused by the change. FC_SEED draws others; a failing one becomes a test. */
fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 20_261_120) })
