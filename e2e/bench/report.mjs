// Prints numbers with their spread and their reference: a bare time would only describe the machine.

export const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7)

export const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]
export const percentile = (numbers, share) =>
  numbers.toSorted((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))]
export const spread = (numbers) => `${Math.min(...numbers).toFixed(1)} to ${Math.max(...numbers).toFixed(1)}`
export const row = (what, value, note) => console.log(`${what.padEnd(52)}${value.padStart(14)}   ${note}`)
