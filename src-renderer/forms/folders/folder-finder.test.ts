import { describe, expect, it } from 'vitest'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { FolderListing } from '../../../src-shared/contract/projects.ts'
import { FolderFinder, type FolderFinding } from './folder-finder.ts'

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
const listing = (path: string): FolderListing => ({ path, folders: [], suggestions: [], truncated: false })

/** A finder whose listings come when the test says so. */
function finder(start = '') {
  const asked: { path: string | undefined; signal: AbortSignal; come: (path?: string) => void; fail: (error: Error) => void }[] =
    []
  let shown: FolderFinding = { typed: start }
  const finding = new FolderFinder(
    (path, signal) =>
      new Promise((resolve, reject) => {
        asked.push({ path, signal, come: (there = path ?? '/home/ada') => resolve(listing(there)), fail: reject })
      }),
    start,
    (now) => {
      shown = now
    },
  )
  return { asked, finding, shown: () => shown }
}

describe('the folder dialog', () => {
  it('begins where the host suggests', async () => {
    const { asked, finding, shown } = finder()
    void finding.open(undefined)
    asked[0]?.come()
    await settled()
    expect(shown()).toEqual({ typed: '/home/ada', listing: listing('/home/ada') })
  })

  it('keeps the typed text before the first listing has come', async () => {
    const { asked, finding, shown } = finder()
    void finding.open(undefined)
    finding.type('/etc')
    asked[0]?.come()
    await settled()
    expect(shown()).toEqual({ typed: '/etc', listing: listing('/home/ada') })
  })

  it('goes where it is told at once, and ignores the first listing', async () => {
    const { asked, finding, shown } = finder()
    void finding.open(undefined)
    finding.type('/etc')
    void finding.go()
    expect(asked[0]?.signal.aborted).toBe(true)
    asked[0]?.come()
    await settled()
    expect(shown()).toEqual({ typed: '/etc' })
    asked[1]?.come()
    await settled()
    expect(shown()).toEqual({ typed: '/etc', listing: listing('/etc') })
  })

  it('keeps the typed text while another folder is loading', async () => {
    const { asked, finding, shown } = finder('/a')
    void finding.go()
    finding.type('/a/b')
    asked[0]?.come()
    await settled()
    expect(shown()).toEqual({ typed: '/a/b', listing: listing('/a') })
  })

  it('chooses the typed folder once it is known to exist', async () => {
    const { asked, finding } = finder('/a')
    void finding.go()
    asked[0]?.come()
    await settled()
    finding.type('/a/link')
    const chosen = finding.choose()
    expect(asked[1]?.path).toBe('/a/link')
    asked[1]?.come('/a/real')
    expect(await chosen).toBe('/a/real')
    expect(await finding.choose()).toBe('/a/real')
    expect(asked).toHaveLength(2)
  })

  it('says why a folder is unavailable, keeps it in the field, and can try again', async () => {
    const { asked, finding, shown } = finder('/gone')
    const chosen = finding.choose()
    asked[0]?.fail(new HostError('not-found', 'There is no such folder.'))
    expect(await chosen).toBeUndefined()
    expect(shown()).toEqual({ typed: '/gone', problem: 'There is no such folder.' })
    const again = finding.choose()
    asked[1]?.come()
    expect(await again).toBe('/gone')
    expect(shown().problem).toBeUndefined()
  })
})
