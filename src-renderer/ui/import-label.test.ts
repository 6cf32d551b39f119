import { expect, it } from 'vitest'
import type { OtherHost } from '../../src-shared/contract/imports.ts'
import { importLabel } from './import-label.ts'

const found = (...hosts: readonly (readonly [OtherHost, number])[]) =>
  hosts.map(([host, servers]) => ({ host, path: `/home/ada/${host}`, servers }))

it.each([
  [found(), 'Import servers'],
  [found(['cursor', 1]), 'Import 1 server from Cursor'],
  [found(['claude-desktop', 5], ['zed', 0], ['claude-desktop', 3]), 'Import 8 servers from Claude Desktop'],
  [found(['claude-desktop', 5], ['vscode', 2]), 'Import 7 servers from Claude Desktop and VS Code'],
  [found(['claude-desktop', 5], ['vscode', 2], ['zed', 1]), 'Import 8 servers from 3 apps'],
])('the button of an import names what was found and where (%#)', (given, label) => {
  expect(importLabel(given)).toBe(label)
})
