import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { OtherHost } from '../../../src-shared/contract/imports.ts'
import { DEFAULT_SERVER_OPTIONS } from '../../../src-shared/contract/server-defaults.ts'
import type { ConfigValue, ServerConfig } from '../../../src-shared/contract/servers.ts'
import type { ForeignServer } from '../../../src-shared/foreign/foreign-server.ts'
import { configuredValues } from '../launch/launch-values.ts'
import { type Configuration, readConfigurationText, readHostConfig } from './configurations.ts'
import { exportServers } from './exports.ts'
import { filledLaunch, inputsOf, type StagedServer, shownStagedLaunch, stageServer } from './staged-server.ts'

// Each host's own file, in the shape that its documentation gives: see the README next to the files.

const file = (name: string) => readFile(new URL(`../../../e2e/hosts/${name}`, import.meta.url), 'utf8')

const FILES: readonly [OtherHost, string][] = [
  ['claude-desktop', 'claude-desktop.json'],
  ['claude-code', 'claude-code.json'],
  ['project', 'project.json'],
  ['vscode', 'vscode.jsonc'],
  ['vscode', 'vscode-settings.jsonc'],
  ['cursor', 'cursor.json'],
  ['windsurf', 'windsurf.json'],
  ['cline', 'cline.json'],
  ['zed', 'zed.jsonc'],
  ['lm-studio', 'lm-studio.json'],
  ['goose', 'goose.yaml'],
  ['gemini-cli', 'gemini-cli.json'],
  ['codex', 'codex.toml'],
]

function hold(config: Configuration, environment: Record<string, string> = {}): Map<string, StagedServer> {
  const known = { home: '/Users/ada', separator: '/' }
  return new Map(
    config.servers.map((foreign) => {
      const source = { ...config, known, environment: (name: string) => environment[name], prefix: '', server: foreign.name }
      return [foreign.name, stageServer(foreign, source)]
    }),
  )
}

/** Every question answered with the same. */
function answered(held: StagedServer): ServerConfig['launch'] {
  const launch = filledLaunch(held, Object.fromEntries(inputsOf(held).map(({ id }) => [id, 'answer'])))
  if (!('type' in launch)) throw new Error(`${launch.id} is missing`)
  return launch
}

/** As the snapshot has it: secrets by reference. */
function kept(held: StagedServer): ServerConfig['launch'] {
  const launch = answered(held)
  const values = Object.entries(configuredValues(launch)).map(([name, value]): [string, ConfigValue] => [
    name,
    held.values.get(name)?.secret ? { secret: `server-local-${name}` } : value,
  ])
  if (launch.type === 'local') return { ...launch, env: Object.fromEntries(values) }
  return { ...launch, headers: Object.fromEntries(values) }
}

describe('a configuration of another host', () => {
  it.each(FILES)('of %s (%s) is exported as it was imported', async (host, name) => {
    const config = await readHostConfig(host, await file(name))
    expect(config.servers.length).toBeGreaterThan(0)
    const servers = [...hold(config)].map(([id, held]) => {
      const foreign = config.servers.find((one) => one.name === id)
      return { id: id as ServerId, name: id, launch: kept(held), options: { ...DEFAULT_SERVER_OPTIONS, ...foreign?.options } }
    })
    const { text } = await exportServers(host, servers)
    const again = await readHostConfig(host, text)
    expect(again.unusable).toEqual([])
    const names = servers.map((server) => server.name)
    expect(again.servers.map((server) => server.name)).toEqual(names)
    const back = hold(again)
    for (const server of servers) {
      expect(kept(back.get(server.name)!), server.name).toEqual(server.launch)
      const secrets = Object.values(configuredValues(server.launch)).filter((value) => 'secret' in value)
      expect(inputsOf(back.get(server.name)!).length, server.name).toBe(secrets.length)
      const { options } = again.servers.find((one) => one.name === server.name)!
      expect({ ...DEFAULT_SERVER_OPTIONS, ...options }, server.name).toEqual(server.options)
    }
    // A text is recognised without a word of whose it is.
    expect((await readConfigurationText(text)).servers.map((server) => server.name)).toEqual(names)
  })

  it.each(FILES)('of %s (%s) is read as that host reads it', async (host, name) => {
    const config = await readHostConfig(host, await file(name))
    const held = hold(config, { LOCAL_TOKEN: 'of-the-environment' })
    const told = config.servers.map((server) => toldOf(server, held.get(server.name)!))
    const lines = [...told, ...config.unusable.map(({ called, why }) => `${called}: ${why}`)]
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`../../../e2e/hosts/${name}.read.txt`)
  })
})

/** One server in a few lines. */
function toldOf({ name, options, notTaken, project }: ForeignServer, held: StagedServer): string {
  const launch = shownStagedLaunch(held)
  const filled = configuredValues(answered(held))
  const values = Object.entries(configuredValues(launch)).map(([key, value]) =>
    'text' in value ? `${key}=${value.text}` : `${key} (secret) ${JSON.stringify(filled[key])}`,
  )
  const target =
    launch.type === 'local' ? [launch.command, ...launch.args].map((one) => JSON.stringify(one)).join(' ') : launch.url
  const inputs = inputsOf(held).map(({ id, ...input }) => `asks ${id} ${JSON.stringify(input)}`)
  const said = [
    ...[`${name}: ${target}`, ...values],
    ...(launch.type === 'local' && launch.cwd ? [`in ${launch.cwd}`] : []),
    ...(project ? [`of ${project}`] : []),
    ...(Object.keys(options).length > 0 ? [JSON.stringify(options)] : []),
    ...[...inputs, ...notTaken],
  ]
  return said.join('\n  ')
}
