import type { FencePolicy } from '../../src-shared/contract/servers.ts'
import { visibleText } from './visible-text.ts'

export function policyLine({ network, folders }: FencePolicy): string {
  const files = folders.map(({ path, write }) => `${visibleText(path)}${write ? ' (changes)' : ''}`)
  const hosts = network === 'none' ? 'none' : network === 'any' ? 'any' : network.hosts.join(', ')
  return `Files: ${files.length > 0 ? files.join(', ') : 'only its own'}. Network: ${hosts}.`
}
