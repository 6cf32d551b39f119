import { HostError } from '../../../src-shared/contract/errors.ts'
import { StorageError } from '../../storage/base/storage.ts'

/** Storage's refusals reach the person who asked as a HostError. */
export async function asked<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof StorageError) throw new HostError('storage', error.message)
    throw error
  }
}
