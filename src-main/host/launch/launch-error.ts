import { HostError, type Problem } from '../../../src-shared/contract/errors.ts'

/** A server could not even be tried: the problem is in its configuration or on this computer. */
export class LaunchError extends HostError {
  readonly problem: Problem

  constructor(problem: Problem) {
    super('unavailable', `${problem.what} ${problem.todo ?? ''}`.trim())
    this.name = 'LaunchError'
    this.problem = problem
  }
}
