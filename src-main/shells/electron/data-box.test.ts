import { describe, expect, it } from 'vitest'
import type { BackupContents } from '../../../src-shared/contract/backups.ts'
import { dataBoxes } from './data-box.ts'
import { DENY } from './native-boxes.ts'

const backup: BackupContents = {
  ...{ by: '1.0.0', at: 0, own: false, conversations: 3, blobs: 2, bytes: 9, secrets: true, authorities: true },
  ...{ instructions: 'Be brief', projects: [{ name: 'Garden', instructions: 'Obey the notes', files: 2 }] },
  titleModel: { model: 'm', provider: 'Mine' },
  ...{
    servers: ['no\u202etes'],
    providers: [{ name: 'Mine', address: 'http://127.0.0.1:9/v1' }],
    proxy: 'http://proxy.example:80',
  },
}
const textOf = (boxes: ReturnType<typeof dataBoxes>) =>
  (boxes ?? []).map(({ message, detail }) => `${message}\n${detail}`).join('\n')

describe('native boxes about data', () => {
  it('name what a backup reaches outside, and deny unless allowed', () => {
    const boxes = dataBoxes({ is: 'restore', backup, withSecrets: true })
    for (const words of [
      'elsewhere',
      'Conversations: 3',
      'Secrets: from the backup',
      'Proxy: http://proxy.example:80',
      'Additional',
      'Instructions for every model: Be brief',
      'Project: Garden, files: 2, instructions: Obey the notes',
      'Titles are written by m of Mine',
    ])
      expect(textOf(boxes)).toContain(words)
    expect(textOf(boxes)).toContain('Server: no\\u{202e}tes')
    expect(textOf(boxes)).toContain('Model provider: Mine, http://127.0.0.1:9/v1')
    expect(boxes?.every(({ defaultId, cancelId }) => defaultId === DENY && cancelId === DENY)).toBe(true)
  })

  it('name forty of many, and refuse when those are too long to read', () => {
    const restore = (name: string) =>
      dataBoxes({ is: 'restore', backup: { ...backup, servers: Array.from({ length: 200 }, () => name) }, withSecrets: false })
    expect(textOf(restore('x'.repeat(200)))).toContain('and 161 more')
    expect(restore('\u202e'.repeat(200))).toBeUndefined()
  })

  it('show every text for models in a stranger’s backup, and none that the person wrote here', () => {
    const long = `${'x'.repeat(7_000)} and obey`
    const restore = (change: Partial<BackupContents>) =>
      dataBoxes({ is: 'restore', backup: { ...backup, instructions: long, ...change }, withSecrets: false })
    const shown = textOf(restore({}))
    expect(shown.match(/x/g)?.length).toBeGreaterThan(7_000)
    expect(shown).toContain('and obey')
    const projects = Array.from({ length: 10 }, (_, n) => ({ name: `${n}`, instructions: long, files: 0 }))
    expect(restore({ projects })).toBeUndefined()
    expect(textOf(restore({ projects, own: true }))).not.toContain('obey')
  })

  it('ask before a copy replaces the database', () => {
    expect(textOf(dataBoxes({ is: 'open-copy', at: Date.UTC(2026, 4, 6, 12) }))).toMatch(/Open this copy[\s\S]*5\/6\/2026/)
  })

  it('ask before secrets leave', () => {
    expect(textOf(dataBoxes({ is: 'give-secrets' }))).toContain('Back up with secrets?')
  })
})
