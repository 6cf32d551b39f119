import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { systemClock } from '../../../src-shared/base/clock.ts'
import type { JsonObject } from '../../../src-shared/base/json.ts'
import type { ToolCallResult } from '../../../src-shared/contract/conversations.ts'
import type { ServerId, ToolCallId } from '../../../src-shared/contract/ids.ts'
import type { ServerRecord, ToolEntry } from '../../../src-shared/contract/servers.ts'
import { checkForm, type RawValues } from '../../../src-shared/forms/check-form.ts'
import { type FormField, fieldsOfInputSchema } from '../../../src-shared/forms/form-fields.ts'
import { CallProgress } from '../../content/CallProgress.tsx'
import { ToolResult } from '../../content/ToolResult.tsx'
import { NO_ARGUMENTS, typedArguments } from '../../content/typed-arguments.ts'
import { linearPatterns } from '../../forms/pattern-engine.ts'
import { SchemaForm } from '../../forms/SchemaForm.tsx'
import { useFormCheck } from '../../forms/use-form-check.ts'
import { ask } from '../../state/ask.ts'
import { failureText } from '../../state/attempt.ts'
import { useHost } from '../../state/host-store.ts'
import { isUsable } from '../../state/selectors.ts'
import { useServer } from '../../state/use-topic.ts'
import { Button } from '../../ui/Button.tsx'
import { Switch } from '../../ui/fields/Checkbox.tsx'
import { TextArea } from '../../ui/fields/TextArea.tsx'
import { GrantButton } from '../../ui/GrantButton.tsx'
import { ProblemCard } from '../../ui/ProblemCard.tsx'

type Call =
  | { readonly is: 'idle' }
  | { readonly is: 'running'; readonly id: ToolCallId; readonly since: number }
  | { readonly is: 'done'; readonly result: ToolCallResult }
  | { readonly is: 'failed'; readonly why: string }

interface ToolByHandProps {
  readonly server: ServerRecord
  readonly entry: ToolEntry
  readonly schema: unknown
}

/** Lets the person fill in arguments and run a tool. The click is the consent, unless the shell asks outside of the page. */
export function ToolByHand({ server, entry, schema }: ToolByHandProps) {
  const id = useId()
  const fields = useMemo(() => fieldsOfInputSchema(schema), [schema])
  const [values, setValues] = useState<RawValues>({})
  const [asJson, setAsJson] = useState(false)
  const [json, setJson] = useState('{}')
  const [jsonProblem, setJsonProblem] = useState<string | undefined>()
  const [call, setCall] = useState<Call>({ is: 'idle' })
  const check = useFormCheck(fields, values)
  const running = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const run = async () => {
    const args = asJson ? typedArguments(json) : check.submit()
    setJsonProblem(asJson && args === undefined ? NO_ARGUMENTS : undefined)
    if (args === undefined || running.current) return
    const controller = new AbortController()
    running.current = controller
    const callId = crypto.randomUUID() as ToolCallId
    setCall({ is: 'running', id: callId, since: systemClock.now() })
    try {
      const params = { serverId: server.id, tool: entry.name, arguments: args, callId }
      setCall({ is: 'done', result: await ask('server.call', params, controller.signal) })
    } catch (error) {
      setCall({ is: 'failed', why: controller.signal.aborted ? 'Stopped. The server was told.' : failureText(error) })
    } finally {
      running.current = undefined
    }
  }
  const usesForm = !asJson && fields.length > 0
  const ready = isUsable(server)
  const asks = useHost((mirror) => mirror.host.shell === 'electron')
  return (
    <div className="column-3">
      {fields.length > 0 ? (
        <Switch
          label="Arguments as JSON"
          checked={asJson}
          onChange={(on) => {
            if (on && json === '{}') setJson(JSON.stringify(validValues(fields, values), null, 2))
            setAsJson(on)
          }}
        />
      ) : null}
      {asJson ? (
        <TextArea code label="Arguments" rows={8} value={json} problem={jsonProblem} onChange={setJson} />
      ) : fields.length === 0 ? (
        <p className="soft">No arguments.</p>
      ) : (
        <SchemaForm
          id={id}
          label={`Arguments of ${entry.name}`}
          fields={fields}
          values={values}
          onChange={setValues}
          check={check}
        />
      )}
      <div className="toolbar line">
        <GrantButton
          variant="primary"
          held={!ready || call.is === 'running'}
          {...(usesForm && { type: 'submit', form: id })}
          onGrant={() => void run()}
        >
          Run
        </GrantButton>
        {call.is === 'running' ? null : (
          <span className="meta">{ready ? consentHint(asks, entry) : 'The server is not ready.'}</span>
        )}
      </div>
      {call.is === 'running' ? (
        <RunningCall call={call} serverId={server.id} tool={entry.name} onEnd={() => running.current?.abort()} />
      ) : null}
      <div aria-live="polite">
        {call.is === 'done' ? <ToolResult result={call.result} from={{ serverId: server.id, tool: entry.name }} /> : null}
        {call.is === 'failed' ? <ProblemCard problem={call.why} /> : null}
      </div>
    </div>
  )
}

function consentHint(asks: boolean, { hints }: ToolEntry): string {
  if (asks) return 'Asks first unless a rule allows it.'
  return hints.readOnly ? 'Runs at once.' : 'Runs at once and may change things.'
}

interface RunningCallProps {
  readonly call: Extract<Call, { is: 'running' }>
  readonly serverId: ServerId
  readonly tool: string
  readonly onEnd: () => void
}

function RunningCall({ call: { id, since }, serverId, tool, onEnd }: RunningCallProps) {
  const topic = useServer(serverId)
  const known = topic === undefined || topic === 'gone' ? undefined : topic.calls?.find((call) => call.id === id)
  return (
    <CallProgress
      id={id}
      tool={tool}
      startedAt={known?.startedAt ?? since}
      progress={known?.progress}
      overdue={known?.overdue}
      stop={
        <Button size="small" onClick={onEnd}>
          Cancel call
        </Button>
      }
    />
  )
}

function validValues(fields: readonly FormField[], values: RawValues): JsonObject {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const one = checkForm([field], values, linearPatterns)
      return one.ok ? Object.entries(one.content) : []
    }),
  )
}
