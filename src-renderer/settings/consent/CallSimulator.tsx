import { type FormEvent, useState } from 'react'
import type { ConsentRuleView, VerdictView } from '../../../src-shared/contract/consent.ts'
import type { ConversationId, ServerId } from '../../../src-shared/contract/ids.ts'
import { NO_ARGUMENTS, typedArguments } from '../../content/typed-arguments.ts'
import { ask } from '../../state/ask.ts'
import { useHost } from '../../state/host-store.ts'
import { conversationTitle } from '../../state/selectors.ts'
import { useAction } from '../../state/use-action.ts'
import { Button } from '../../ui/Button.tsx'
import { Select } from '../../ui/fields/Select.tsx'
import { TextArea } from '../../ui/fields/TextArea.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { ServerToolFields } from './ServerToolFields.tsx'
import { VerdictPanel } from './VerdictPanel.tsx'

/** Conversations offered in the select, newest first. */
const MAX_CONVERSATIONS = 100

interface SimulatedCall {
  readonly verdict: VerdictView
  readonly conversationId: ConversationId | undefined
}

/** Tests the verdict on a call without making it. */
export function CallSimulator({ rules }: { readonly rules: readonly ConsentRuleView[] }) {
  const conversations = useHost((mirror) => mirror.host.conversations)
  const [call, setCall] = useState<{ readonly serverId: ServerId | ''; readonly tool: string }>({ serverId: '', tool: '' })
  const [conversationId, setConversationId] = useState<ConversationId | ''>('')
  const [json, setJson] = useState('{}')
  const [wrong, setWrong] = useState<{ readonly tool?: string; readonly json?: string }>({})
  const [result, setResult] = useState<SimulatedCall>()
  const { busy, problem, run } = useAction()
  const change = <T,>(set: (value: T) => void) => {
    return (value: T) => {
      // The shown verdict belongs to the values above.
      setResult(undefined)
      set(value)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { serverId, tool } = call
    const args = typedArguments(json)
    setWrong({
      ...(tool === '' && { tool: 'Choose a server and a tool' }),
      ...(args === undefined && { json: NO_ARGUMENTS }),
    })
    if (busy || serverId === '' || tool === '' || args === undefined) return
    const conversation = conversationId === '' ? undefined : conversationId
    void run(async () => {
      const params = { serverId, tool, arguments: args, ...(conversation !== undefined && { conversationId: conversation }) }
      setResult({ verdict: await ask('consent.simulate', params), conversationId: conversation })
    })
  }
  const rule = rules.find(({ id }) => id === result?.verdict.rule)?.words
  return (
    <form className="padded column-3 card" onSubmit={submit} noValidate aria-label="Test a call">
      <div>
        <h3>Test a call</h3>
        <p className="soft">Dry run: nothing is sent.</p>
      </div>
      <div className="settings-pair">
        <ServerToolFields serverId={call.serverId} tool={call.tool} onChange={change(setCall)} problem={wrong.tool} />
        <Select<ConversationId | ''>
          label="Conversation"
          options={[
            { value: '', label: 'None' },
            ...conversations.slice(0, MAX_CONVERSATIONS).map((head) => ({
              value: head.id,
              label: visibleText(conversationTitle(head)).slice(0, 80),
            })),
          ]}
          value={conversationId}
          onChange={change(setConversationId)}
        />
      </div>
      <TextArea code label="Arguments" rows={4} value={json} problem={wrong.json} onChange={change(setJson)} />
      <div className="toolbar line">
        <Button type="submit">Try</Button>
      </div>
      <div role="status" aria-label="Verdict">
        {problem === undefined ? null : <p className="ui-field-problem">{problem}</p>}
        {result ? <VerdictPanel verdict={result.verdict} rule={rule} conversationId={result.conversationId} /> : null}
      </div>
    </form>
  )
}
