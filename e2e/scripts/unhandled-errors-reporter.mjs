// Vitest's json report leaves out the errors that no test caught.
import { writeFileSync } from 'node:fs'

export default class UnhandledErrorsReporter {
  onTestRunEnd(_modules, errors) {
    if (errors.length > 0)
      writeFileSync(process.env.PARLEY_UNHANDLED_ERRORS, JSON.stringify(errors.map(({ message }) => message)))
  }
}
