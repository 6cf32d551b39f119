import type { ServerRecord } from '../../src-shared/contract/servers.ts'
import { ask } from '../state/ask.ts'
import { attempt } from '../state/attempt.ts'
import { Switch } from '../ui/fields/Checkbox.tsx'
import { useSavedChoice } from './use-saved-choice.ts'

interface ResultFirstProps {
  readonly server: ServerRecord
  readonly tool: string
}

/** The person sees its results before the model does: those of this tool, or of all tools of the server. */
export function ResultFirst({ server, tool }: ResultFirstProps) {
  const { reviewResults, reviewedTools } = server.options
  const [on, turn] = useSavedChoice(reviewedTools.includes(tool), (wanted) =>
    attempt(ask('server.reviewTool', { serverId: server.id, tool, on: wanted })),
  )
  return (
    <Switch
      label="Show me the result first"
      hint={reviewResults ? 'On for all tools of this server.' : 'You can cut or withhold it before the model gets it.'}
      checked={on || reviewResults}
      disabled={reviewResults}
      onChange={turn}
    />
  )
}
