import { isLoopbackHost } from '../../../src-shared/base/hosts.ts'

type Environment = Readonly<Record<string, string>>

/** The name under which Node's own options wait for the program: they are not for the gate. */
const NODE_OPTIONS = 'PARLEY_NODE_OPTIONS'

/**
 * Opens a port on the fence's own loopback, hands it to Parley, which listens there from outside, and becomes the program. Nothing of it
 * remains inside: the socket and the channel to Parley close as the program takes over its process. It listens without a host, or Node would
 * first load what resolves names; no other address leads into the fence.
 */
const GATE = `
const [file, ...args] = process.argv.slice(1)
const { ${NODE_OPTIONS}: options, ...env } = process.env
const gate = require('node:net').createServer().listen({ port: 0, exclusive: true })
const proxy = 'http://127.0.0.1:' + gate.address().port
for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']) env[name] = env[name.toLowerCase()] = proxy
if (options !== undefined) env.NODE_OPTIONS = options
process.send('gate', gate, (error) => {
  if (error) throw error
  process.execve(file, [file, ...args], env)
})`

/** Node ignores these signals, and the program would inherit that. */
const AS_USUAL = ['/usr/bin/env', '--default-signal=PIPE,XFSZ', '--']

const LOOPBACK = 'localhost,127.0.0.1,::1'

/** The words that make `node`, of version 22.15 or newer, the gate of the words that follow. */
export const gateBefore = (node: string): readonly string[] => [node, '--no-warnings', '--eval', GATE, '--', ...AS_USUAL]

/** A program that succeeds where a gate can be made. */
export const gateTrial = (node: string): { readonly command: string; readonly args: readonly string[] } => {
  const [command = node, ...args] = [...AS_USUAL, node, '--eval', 'process.exit(process.execve ? 0 : 1)']
  return { command, args }
}

/** The environment in which a program asks the proxy at this address for every host. */
export function proxyEnvironment(proxy: string): Environment {
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']
  const ways = names.flatMap((name) => [name, name.toLowerCase()]).map((name) => [name, proxy])
  return { ...Object.fromEntries(ways), NO_PROXY: '', no_proxy: '', NODE_USE_ENV_PROXY: '1' }
}

/** Its own loopback is reached directly, unless a host of this computer is named. */
export function gateEnvironment(env: Environment, hosts: readonly string[]): Environment {
  const { NODE_OPTIONS: options, ...others } = env
  const direct = hosts.some((host) => isLoopbackHost(host.replace(/:\d+$/, ''))) ? '' : LOOPBACK
  return {
    ...others,
    ...(options !== undefined && { [NODE_OPTIONS]: options }),
    ...{ NO_PROXY: direct, no_proxy: direct, NODE_USE_ENV_PROXY: '1' },
  }
}
