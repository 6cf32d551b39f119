import type { Clock } from '../../src-shared/base/clock.ts'

/** Processor time of this process and its threads in milliseconds, which other work on the machine does not change. */
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
