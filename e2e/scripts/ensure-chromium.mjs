// Finds a Chromium for the tests, or installs one where that is ours to do; ends with one line that says how otherwise.
import { ensureChromium } from '../shells/chromium.ts'

try {
  console.log(`The tests use ${ensureChromium()}.`)
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
