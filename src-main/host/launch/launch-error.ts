import { HostError, type Problem } from '../../../src-shared/contract/errors.ts'

/** The server could not be tried, because of its configuration or this computer. */
export class LaunchError extends HostError {
  readonly problem: Problem

  constructor(problem: Problem) {
    super('unavailable', `${problem.what} ${problem.todo ?? ''}`.trim())
    this.name = 'LaunchError'
    this.problem = problem
  }
}
