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

/** Every remembered decision and the way to take it back, what is held by hand, and what would happen to a call. */
export function ConsentSection() {
  // A rule comes into being only with an answered question, so the open questions say when to read again.
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
