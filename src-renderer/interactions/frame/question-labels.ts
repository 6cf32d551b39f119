import { assertNever } from '../../../src-shared/base/json.ts'
import { type Answer, type Interaction, type QuestionOf, REFUSALS } from '../../../src-shared/contract/interactions.ts'
import { counted, listed } from '../../ui/amounts.ts'
import { visibleText } from '../../ui/visible-text.ts'

/** A question in one sentence, for the Inbox and for screen readers. */
export function questionSentence(interaction: Interaction): string {
  const server = visibleText(interaction.about.serverName)
  switch (interaction.kind) {
    case 'server-trust':
      return interaction.question.launch.type === 'local'
        ? `Start ${server} on this computer?`
        : `Connect to ${server} at ${visibleText(interaction.question.launch.host)}?`
    case 'servers-trust':
      return launchesSentence(interaction.question)
    case 'tool-consent':
      return callsSentence(interaction.question)
    case 'tool-result':
      return `Review the result of ${visibleText(interaction.question.tool)} on ${server}`
    case 'sampling-request':
      return `${server} asks to use ${visibleText(interaction.question.model.model)}`
    case 'sampling-result':
      return `A reply for ${server} ${REPLY[interaction.question.state]}`
    case 'elicitation-form':
      return `${server} asks you for information${interaction.question.again ? ' again' : ''}`
    case 'elicitation-url':
      return interaction.question.again
        ? `${server} is waiting for you to finish in your browser`
        : `${server} asks you to open an address`
    case 'call-again':
      return `${server} is ready to run ${visibleText(interaction.question.tool)} again`
    case 'roots-request':
      return `${server} asks for folders`
    case 'authorization':
      return interaction.question.step === 'waiting'
        ? `Waiting for you to sign in at ${visibleText(interaction.question.host)}`
        : `${server} requires sign-in at ${visibleText(interaction.question.host)}`
    case 'client-registration':
      return `${visibleText(interaction.question.host)} needs a client ID for ${server}`
    default:
      return assertNever(interaction)
  }
}

const REPLY = {
  writing: 'is being written',
  done: 'is ready for review',
  failed: 'could not be written',
} satisfies Record<QuestionOf<'sampling-result'>['state'], string>

/** The values that tell one question about calls from the next: "src/a.ts", "src/a.ts, src/b.ts". */
export function questionDetail(interaction: Interaction): string | undefined {
  if (interaction.kind !== 'tool-consent') return undefined
  const told = interaction.question.calls.flatMap(({ telling }) => telling ?? [])
  return told.length > 0 ? visibleText(told.join(', ')) : undefined
}

/** "Start 8 servers on this computer?" */
function launchesSentence({ servers }: QuestionOf<'servers-trust'>): string {
  const count = counted(servers.length, 'server')
  return servers[0]?.launch.type === 'local' ? `Start ${count} on this computer?` : `Connect to ${count}?`
}

/** The model reads a file, and no tool is called. */
export const skillSentence = (name: string) => `Read a file of the skill “${visibleText(name)}”?`

/** "Run add on Playground?", "3 calls on filesystem and git". */
function callsSentence({ calls }: QuestionOf<'tool-consent'>): string {
  const names = [...new Set(calls.map(({ serverName }) => visibleText(serverName)))]
  const servers = listed(names)
  const [only] = calls.length === 1 ? calls : []
  if (only?.skill !== undefined) return skillSentence(only.skill)
  if (only?.undoes) return `Undo a change on ${servers}?`
  if (only?.byApp) return `The app of ${servers} asks to run ${visibleText(only.tool)}`
  return only ? `Run ${visibleText(only.tool)} on ${servers}?` : `${counted(calls.length, 'call')} on ${servers}`
}

/** The answer that says no to a question and nothing else. */
export function refusalAnswer({ id, kind }: Interaction): Answer {
  // The table pairs every kind with an answer of that kind; the compiler cannot follow a union through an index.
  return { id, kind, answer: REFUSALS[kind] } as Answer
}
