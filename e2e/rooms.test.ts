import { describe, expect, it } from 'vitest'
import { violations, violationsOf } from './rooms.ts'

describe('the rooms of the house', () => {
  it('import only what they may', () => {
    expect(violations(new URL('..', import.meta.url).pathname)).toEqual([])
  })

  it('may not import electron outside the desktop shell', () => {
    expect(violationsOf('src-main/host/turn.ts', "import { app } from 'electron'\n")).toEqual([
      'src-main/host/turn.ts → electron: package not allowed in src-main/host',
    ])
    expect(violationsOf('src-main/shells/electron/main.ts', "import { app } from 'electron'\n")).toEqual([])
  })

  it('keep the renderer out of the host, and neighbours apart', () => {
    expect(violationsOf('src-renderer/state/a.ts', "import { Host } from '../../src-main/host/host.ts'")).toHaveLength(1)
    expect(violationsOf('src-main/auth/a.ts', "import type { T } from '../transports/stdio.ts'")).toHaveLength(1)
    expect(violationsOf('src-renderer/servers/a.tsx', "export * from '../conversation/Composer.tsx'")).toHaveLength(1)
  })

  it('see imports that load later, and Node where it may not be', () => {
    expect(violationsOf('src-main/protocol/a.ts', "const load = () => import('ajv')")).toHaveLength(1)
    expect(violationsOf('src-main/protocol/a.ts', "import fs from 'node:fs'")).toHaveLength(1)
    expect(violationsOf('src-shared/base/a.ts', "import 'node:os'")).toHaveLength(1)
  })

  it('are a closed set', () => {
    expect(violationsOf('src-main/helpers/a.ts', '')).toEqual([
      'src-main/helpers/a.ts is in no room: a new room needs a decision record',
    ])
  })

  it('never import the official protocol packages in the product', () => {
    expect(
      violationsOf('src-main/client/a.ts', "import { Client } from '@modelcontextprotocol/sdk/client/index.js'"),
    ).toHaveLength(1)
  })
})
