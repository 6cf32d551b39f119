import { isObject, type JsonObject } from '../../src-shared/base/json.ts'
import { ErrorCode, ProtocolError } from '../protocol/shapes/json-rpc.ts'
import { failure, type PlaygroundTool, says } from './playground-tools.ts'

const HINTS = { readOnlyHint: true, openWorldHint: false }

const EVERY_FIELD = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Name', description: 'How you want to be called', minLength: 2, maxLength: 40 },
    email: { type: 'string', title: 'Email', format: 'email' },
    homepage: { type: 'string', title: 'Homepage', format: 'uri' },
    birthday: { type: 'string', title: 'Birthday', format: 'date' },
    alarm: { type: 'string', title: 'Alarm', format: 'date-time' },
    cups: { type: 'integer', title: 'Cups of coffee', minimum: 0, maximum: 12, default: 2 },
    height: { type: 'number', title: 'Height in metres', minimum: 0.3, maximum: 3 },
    newsletter: { type: 'boolean', title: 'Newsletter', default: false },
    colour: { type: 'string', title: 'Colour', enum: ['red', 'green', 'blue'], enumNames: ['Red', 'Green', 'Blue'] },
    size: {
      type: 'string',
      title: 'Size',
      oneOf: [
        { const: 's', title: 'Small' },
        { const: 'm', title: 'Medium' },
        { const: 'l', title: 'Large' },
      ],
      default: 'm',
    },
    days: { type: 'array', title: 'Days', minItems: 1, maxItems: 2, items: { type: 'string', enum: ['Mon', 'Wed', 'Fri'] } },
  },
  required: ['name'],
}

interface AskingTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly properties?: Readonly<Record<string, JsonObject>>
  readonly run: PlaygroundTool['run']
}

/** Tools that ask something back: of the model, of the person, and about folders. */
export function askingTools(): readonly PlaygroundTool[] {
  return [
    asking({
      name: 'ask-model',
      title: 'Ask your model',
      description: 'Asks your language model something through you: you review the request first and the reply afterwards.',
      properties: { question: { type: 'string', description: 'What to ask', default: 'Say hello in five languages.' } },
      async run({ question = 'Say hello in five languages.' }, call) {
        if (typeof question !== 'string') return failure('question has to be a string.')
        const { content, model } = await call.ask('sampling/createMessage', {
          messages: [{ role: 'user', content: { type: 'text', text: question } }],
          systemPrompt: 'Answer in a few words.',
          modelPreferences: { hints: [{ name: 'haiku' }, { name: 'mini' }], speedPriority: 0.8 },
          maxTokens: 300,
        })
        const said = isObject(content) && content.type === 'text' ? String(content.text) : JSON.stringify(content)
        return says(`${String(model)} said: ${said}`)
      },
    }),
    asking({
      name: 'ask-form',
      title: 'Ask with a form',
      description: 'Asks you for information with a form that has one field of every kind.',
      async run(_args, call) {
        const message = 'This form has a field of every kind. Only your name is needed.'
        const { action, content } = await call.ask('elicitation/create', { message, requestedSchema: EVERY_FIELD })
        return says(action === 'accept' ? `You sent ${JSON.stringify(content)}.` : chose(action))
      },
    }),
    asking({
      name: 'ask-password',
      title: 'Ask for a password',
      description: 'Asks for a password, which no server may do, so that you can see how you are warned.',
      async run(_args, call) {
        const requestedSchema = { type: 'object', properties: { password: { type: 'string' } }, required: ['password'] }
        const { action } = await call.ask('elicitation/create', { message: 'Your password, please.', requestedSchema })
        return says(action === 'accept' ? 'You sent something, and it was thrown away.' : `${chose(action)} Well done.`)
      },
    }),
    asking({
      name: 'ask-visit',
      title: 'Ask to visit an address',
      description: 'Asks you to open a page of the protocol’s own site in your browser.',
      async run(_args, call) {
        const { action } = await call.ask('elicitation/create', {
          mode: 'url',
          message: 'Read about elicitation on the protocol’s own site.',
          url: 'https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation',
          elicitationId: 'playground-visit',
        })
        return says(action === 'accept' ? 'You opened it.' : chose(action))
      },
    }),
    asking({
      name: 'list-folders',
      title: 'List shared folders',
      description: 'Asks which folders you share with it, and lists them. It reads nothing in them.',
      async run(_args, call) {
        const { roots } = await call.ask('roots/list', {})
        if (!Array.isArray(roots) || roots.length === 0) return says('You share no folder with it.')
        const lines = roots.filter(isObject).map(({ uri, name }) => `${String(name)}: ${String(uri)}`)
        return says(lines.join('\n'))
      },
    }),
  ]
}

const chose = (action: unknown): string => `You chose ${String(action)}.`

/** The tools change nothing themselves. A refused question is an answer, not a failed call. */
function asking({ name, title, description, properties = {}, run }: AskingTool): PlaygroundTool {
  return {
    definition: { name, title, description, inputSchema: { type: 'object', properties }, annotations: HINTS },
    async run(args, call) {
      try {
        return await run(args, call)
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error
        if (error.code === ErrorCode.userRejected) return says(`You said no: ${error.message}.`)
        return failure(`The host answered with error ${error.code}: ${error.message}`)
      }
    },
  }
}
