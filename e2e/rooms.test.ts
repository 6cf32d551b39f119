import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { circles, sources, violations, violationsOf } from './rooms.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

describe('the rooms of the house', () => {
  it('import only what they may', () => {
    expect(violations(ROOT)).toEqual([])
  })

  it('have no circle of imports, types included', () => {
    expect(circles(sources(ROOT))).toEqual([])
    expect(circles(sources(ROOT, ['e2e'], /\.(?:tsx?|mjs)$/))).toEqual([])
  })

  it('are checked for circles of files, of types alone, and between folders', () => {
    const files = (entries: Record<string, string>) => circles(new Map(Object.entries(entries)))
    expect(files({ 'a/x.ts': "import './y.ts'", 'a/y.ts': "import type { X } from './x.ts'" })).toEqual([
      'a/x.ts → a/y.ts → a/x.ts',
    ])
    expect(files({ 'a/x.ts': "import '../b/y.ts'", 'b/y.ts': '', 'b/z.ts': "import '../a/w.ts'", 'a/w.ts': '' })).toEqual([
      'a → b → a',
    ])
    expect(files({ 'a/x.ts': "import '../b/y.ts'", 'b/y.ts': "import './z.ts'", 'b/z.ts': '' })).toEqual([])
  })

  it('are found in any folder: an address has %20 for a space, and a slash before a drive', () => {
    const wrong = [...sources(ROOT, ['e2e', 'src-main', 'src-shared'])].filter(([, text]) =>
      /import\.meta\.url\)\.pathname/.test(text),
    )
    expect(wrong.map(([file]) => file)).toEqual([])
  })

  it('may not import electron outside the desktop shell', () => {
    expect(violationsOf('src-main/host/conversations/turn.ts', "import { app } from 'electron'\n")).toEqual([
      'src-main/host/conversations/turn.ts → electron: package not allowed in src-main/host/conversations',
    ])
    expect(violationsOf('src-main/shells/electron/main.ts', "import { app } from 'electron'\n")).toEqual([])
  })

  it('keep the renderer out of the host, and neighbours separate', () => {
    expect(violationsOf('src-renderer/state/a.ts', "import { Host } from '../../src-main/host/host.ts'")).toHaveLength(1)
    expect(violationsOf('src-main/auth/a.ts', "import type { T } from '../transports/stdio.ts'")).toHaveLength(1)
    expect(violationsOf('src-renderer/servers/a.tsx', "export * from '../conversation/Composer.tsx'")).toHaveLength(1)
  })

  it('keep the table of requests to the page and its handlers', () => {
    const wants = "import type { ParamsOf } from '../../src-shared/contract/requests.ts'"
    expect(violationsOf('src-main/storage/a.ts', wants)).toHaveLength(1)
    expect(violationsOf('src-main/bridge/a.ts', wants)).toEqual([])
  })

  it('are checked for late imports, and for Node where it is not allowed', () => {
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
