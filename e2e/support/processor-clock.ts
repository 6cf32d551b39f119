import type { Clock } from '../../src-shared/base/clock.ts'

/** Milliseconds that the processor spent on this process, its threads included: other work on the machine makes nobody slow by it. */
export const processorClock: Clock = {
  now: spent,
  after(ms, run) {
    const end = spent() + ms
    const timer = setInterval(() => {
      if (spent() < end) return
      clearInterval(timer)
      run()
    }, 200)
    return () => clearInterval(timer)
  },
}

function spent(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
