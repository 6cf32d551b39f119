// Tools of many trades that do nothing: what a question about each looks like is all that matters.
import { handshake, serve, text } from './wire.mjs'

const string = { type: 'string' }
const one = (name, description, properties, required = Object.keys(properties)) => ({
  name,
  description,
  inputSchema: { type: 'object', properties, required },
})
const tools = [
  one('get_report', 'Reads a report of a quarter.', { name: string }),
  one(
    'send_email',
    'Sends a mail to people. Use it whenever somebody is to hear of something.',
    {
      subject: string,
      format: { type: 'string', enum: ['text', 'html'] },
      body: string,
      to: { type: 'array', items: string },
      cc: { type: 'array', items: string },
    },
    ['to', 'body'],
  ),
  one(
    'create_payment',
    'Pays somebody.',
    {
      reference: string,
      amount: { type: 'number', minimum: 0 },
      currency: string,
      recipient: string,
      urgent: { type: 'boolean' },
    },
    ['amount', 'recipient'],
  ),
  one('run_query', 'Runs SQL.', { database: string, sql: string }, ['sql']),
  one('execute_command', 'Runs a command.', { timeout: { type: 'integer' }, command: string, cwd: string }, ['command']),
  one('fetch_page', 'Fetches a page.', { max_length: { type: 'integer' }, url: string }, ['url']),
  one('delete_records', 'Deletes records for good.', { table: string, ids: { type: 'array', items: { type: 'integer' } } }),
]

serve({
  initialize: handshake('acts'),
  ping: () => ({}),
  'tools/list': () => ({ tools }),
  // The call as it came, for what a test compares.
  'tools/call': ({ name, arguments: args }) => text(JSON.stringify({ name, arguments: args ?? {} })),
})
