import { counted } from '../../ui/amounts.ts'

/** The result of an import. A file never adds rules that allow. */
export function importSummary({ added, left }: { readonly added: number; readonly left: number }): string {
  const taken = `${counted(added, 'rule')} added.`
  return left === 0 ? taken : `${taken} ${counted(left, 'rule')} left out: a file cannot allow calls.`
}
