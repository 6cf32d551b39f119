import { useState } from 'react'
import { useHost } from '../../state/host-store.ts'
import { useRequest } from '../../state/use-request.ts'
import { Button } from '../../ui/Button.tsx'
import { Awaited } from '../../ui/ProblemCard.tsx'
import { CallSimulator } from './CallSimulator.tsx'
import { RuleEditor } from './RuleEditor.tsx'
import { RuleList } from './RuleList.tsx'
import { RulesFile } from './RulesFile.tsx'
import './consent-settings.css'

/** The rules, and a test of calls against them. */
export function ConsentSection() {
  // Answered questions make rules, so the list is read again when the open questions change.
  const questions = useHost((mirror) => mirror.host.interactions)
  const { value, problem, reload } = useRequest('consent.list', {}, { refetchOn: [questions] })
  const [adding, setAdding] = useState(false)
  if (!value || problem !== undefined) return <Awaited label="Loading the rules" problem={problem} onRetry={reload} />
  return (
    <>
      <RuleList rules={value.rules} onChange={reload} />
      <div className="toolbar line">
        <Button onClick={() => setAdding(true)}>Add rule</Button>
        <RulesFile none={value.rules.length === 0} onChange={reload} />
      </div>
      <CallSimulator rules={value.rules} />
      {adding ? (
        <RuleEditor
          onClose={() => {
            setAdding(false)
            reload()
          }}
        />
      ) : null}
    </>
  )
}
