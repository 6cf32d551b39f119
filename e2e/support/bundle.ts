import { type ZipFile, zip } from './zip-writer.ts'

/** A server over stdio in one file, with a tool that gives its arguments and variables back. */
const SERVER = `
import { createInterface } from 'node:readline'
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'notes', version: '1' } }),
  ping: () => ({}),
  'tools/list': () => ({ tools: [{ name: 'tell', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }] }),
  'tools/call': () => ({ content: [{ type: 'text', text: JSON.stringify({ args: process.argv.slice(2), key: process.env.NOTES_KEY }) }] }),
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const answer = answers[method]
  const said = answer ? { result: answer(params) } : { error: { code: -32601, message: 'unknown' } }
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...said }))
})
`

export const NOTES = {
  manifest_version: '0.3',
  name: 'notes',
  display_name: 'Notes',
  version: '1.2.0',
  description: 'Reads your notes.',
  author: { name: 'Ann' },
  server: {
    type: 'node',
    entry_point: 'server/index.mjs',
    mcp_config: {
      command: 'node',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: variables of the format
      args: ['${__dirname}/server/index.mjs', '--dir', '${user_config.dirs}', '--tag', '${user_config.tag}'],
      // biome-ignore lint/suspicious/noTemplateCurlyInString: variables of the format
      env: { NOTES_KEY: '${user_config.key}' },
    },
  },
  user_config: {
    dirs: { type: 'directory', title: 'Folders', description: 'Where your notes are.', multiple: true, required: true },
    tag: { type: 'string', title: 'Tag' },
    key: { type: 'string', title: 'Key', sensitive: true, required: true },
  },
  tools: [{ name: 'tell' }],
}

/** A bundle that runs. `more` are further files. */
export function notesBundle(changes: object = {}, more: readonly ZipFile[] = []): Buffer {
  return zip([
    { name: 'manifest.json', content: JSON.stringify({ ...NOTES, ...changes }) },
    { name: 'server/index.mjs', content: SERVER },
    ...more,
  ])
}
