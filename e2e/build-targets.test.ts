import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './scripts/run.mjs'

const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8')
const major = (version = '') => Number(/\d+/.exec(version)?.[0])

describe('the build', () => {
  it('is for the Node that Electron has, whose typings its package asks for', () => {
    const electron = JSON.parse(read('node_modules', 'electron', 'package.json')) as { dependencies: Record<string, string> }
    const ours = JSON.parse(read('package.json')) as { devDependencies: Record<string, string> }
    const inElectron = major(electron.dependencies['@types/node'])
    const targets = [...read('vite.config.ts').matchAll(/target: 'node(\d+)'/g)].map(([, version]) => major(version))
    expect(targets.length).toBeGreaterThan(0)
    // Nothing of a later Node is let through by the types, nor first tried by a person: tests run on the same.
    expect([...targets, major(ours.devDependencies['@types/node']), major(read('.nvmrc'))]).toEqual(
      Array(targets.length + 2).fill(inElectron),
    )
  })

  it('is for one Chromium in all documents of the page', () => {
    const targets = new Set([...read('vite.config.ts').matchAll(/target: '(chrome\d+)'/g)].map(([, target]) => target))
    expect([...targets]).toEqual(['chrome130'])
  })
})
