import type { OtherHost } from '../../../src-shared/contract/imports.ts'
import { completedJson, readAnyJson } from '../../../src-shared/foreign/any-json.ts'
import type { ForeignConfig } from '../../../src-shared/foreign/foreign-server.ts'
import { EMPTY_CONFIG } from '../../../src-shared/foreign/json-config.ts'
import { type ConfigurationFormat, readConfiguration } from './configuration-text.ts'
import { configurationRoot, HOST_FORMATS } from './hosts.ts'
import { type PublishedServer, readPublished } from './server-json.ts'
import type { Syntax } from './variables.ts'

export interface Configuration extends ForeignConfig {
  readonly host?: OtherHost
  readonly syntaxes: ReadonlySet<Syntax>
  /** The text is a server.json. */
  readonly published?: PublishedServer
}

export interface ConfigurationJob {
  readonly text: string
  readonly host?: OtherHost
}

export type ConfigurationAnswer = Configuration | { readonly problem: string }

/** Throws ConfigError. */
export async function readHostConfig(host: OtherHost, text: string): Promise<Configuration> {
  const hostFormat = HOST_FORMATS[host]
  const { format, most, syntaxes, read } = hostFormat
  // VS Code and others create empty files.
  if (text.trim() === '') return { ...EMPTY_CONFIG, host, syntaxes: new Set() }
  const parsed = await readConfiguration(text, format, most)
  return { ...read(configurationRoot(parsed), parsed, hostFormat), host, syntaxes: new Set(syntaxes) }
}

/**
 * Reads a pasted or dropped text: a configuration of any host, a part of one, a fragment `"name": {…}` without braces, or one entry.
 * Throws ConfigError.
 */
export async function readConfigurationText(text: string): Promise<Configuration> {
  const whole = completedJson(text)
  const format = formatOf(whole)
  const parsed = await readConfiguration(format === 'json' ? whole : text, format)
  const host = { json: undefined, yaml: 'goose' as const, toml: 'codex' as const }[format]
  const root = configurationRoot(parsed)
  const published = format === 'json' ? readPublished(root) : undefined
  if (published) return { ...EMPTY_CONFIG, published, syntaxes: new Set() }
  if (!host) return { ...readAnyJson(root, parsed.duplicateKeys), syntaxes: ANY_SYNTAX }
  const hostFormat = HOST_FORMATS[host]
  return { ...hostFormat.read(root, parsed, hostFormat), host, syntaxes: new Set(hostFormat.syntaxes) }
}

const ANY_SYNTAX: ReadonlySet<Syntax> = new Set(['env', 'braces', 'code'])

/** Guesses the format by the beginning of the text. */
export function formatOf(text: string): ConfigurationFormat {
  if (/^\{|^\/[/*]/.test(text)) return 'json'
  return /^[ \t]*(?:\[\[?[^\]\n]+\]|[\w.-]+[ \t]*=)/m.test(text) && !/^extensions\s*:/m.test(text) ? 'toml' : 'yaml'
}
