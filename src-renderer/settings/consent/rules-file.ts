import { counted } from '../../ui/amounts.ts'

/** The result of importing a file of rules: an imported file never allows anything. */
export function importedWords({ added, left }: { readonly added: number; readonly left: number }): string {
  const taken = `${counted(added, 'rule')} added.`
  return left === 0 ? taken : `${taken} ${counted(left, 'rule')} left out: a file cannot allow calls.`
}
