import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from './scripts/run.mjs'

it('docs/transports.md tells how each transport is set up, what it carries and how it ends (TRAN-75)', async () => {
  const port = await readFile(join(root, 'src-main/protocol/peer/transport.ts'), 'utf8')
  const kinds = [...(/readonly kind: (.*)/.exec(port)?.[1] ?? '').matchAll(/'([^']+)'/g)].map(([, kind]) => kind)
  expect(kinds).toContain('linked')
  const page = await readFile(join(root, 'docs/transports.md'), 'utf8')
  const sections = new Map(page.split(/^## /m).map((section) => [section.slice(0, section.indexOf('\n')), section]))
  for (const kind of kinds) {
    for (const part of ['Set-up', 'Exchange', 'End']) expect(sections.get(kind ?? ''), kind).toContain(`**${part}.**`)
  }
})
