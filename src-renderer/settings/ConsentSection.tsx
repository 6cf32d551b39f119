import { useCallback, useEffect, useState } from 'react'
import type { ConsentRuleView } from '../../src-shared/contract/settings.ts'
import { attempt, failureText, listConsent, revokeConsent } from '../state/actions.ts'
import { useHost } from '../state/host-store.ts'
import { announce } from '../state/view-store.ts'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/fields.tsx'
import { ProblemCard } from '../ui/ProblemCard.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { counted } from '../ui/sizes.ts'
import { Skeleton } from '../ui/states.tsx'
import { VirtualList } from '../ui/VirtualList.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { visibleText } from '../ui/visible-text.ts'

const SEARCH_FROM = 8
const VIRTUAL_FROM = 100

const ASLEEP_WORDS: Readonly<Record<NonNullable<ConsentRuleView['asleep']>, string>> = {
  'launch-changed': 'Asleep: how the server is reached was changed. You are asked again.',
  'tool-changed': 'Asleep: the tool is not as it was when you allowed it. You are asked again.',
  'server-removed': 'Asleep: its server was removed.',
  'tool-unknown': 'Asleep: the server is not connected or does not offer this tool at present.',
}

/** Every remembered permission, and the way to take it back. */
export function ConsentSection() {
  // A rule comes into being only with an answered question, so the open questions say when to read again.
  const questions = useHost((mirror) => mirror.host.interactions)
  const [rules, setRules] = useState<readonly ConsentRuleView[] | undefined>()
  const [problem, setProblem] = useState<string | undefined>()
  const [search, setSearch] = useState('')
  const read = useCallback((signal?: AbortSignal) => {
    listConsent(signal)
      .then((found) => {
        setRules(found.rules)
        setProblem(undefined)
      })
      .catch((error: unknown) => {
        if (!signal?.aborted) setProblem(failureText(error))
      })
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    const controller = new AbortController()
    read(controller.signal)
    return () => controller.abort()
  }, [read, questions])
  const revoke = async (rule: ConsentRuleView) => {
    if (!(await attempt(revokeConsent(rule.id)))) return
    setRules((before) => before?.filter((one) => one.id !== rule.id))
    announce(`Revoked the rule for ${rule.tool}`)
  }
  if (problem !== undefined) {
    return (
      <ProblemCard
        problem={{ code: 'consent', what: problem }}
        actions={
          <Button size="small" onClick={() => read()}>
            Try again
          </Button>
        }
      />
    )
  }
  if (!rules) return <Skeleton label="Loading the rules" />
  if (rules.length === 0) {
    return (
      <p className="soft">No rules. You are asked before each tool call; what you allow for longer than once is listed here.</p>
    )
  }
  const wanted = search.trim().toLowerCase()
  const shown = rules.filter((rule) => `${rule.serverName} ${rule.tool}`.toLowerCase().includes(wanted))
  return (
    <>
      {rules.length >= SEARCH_FROM ? (
        <TextField type="search" label="Search rules" hideLabel placeholder="Search rules" value={search} onChange={setSearch} />
      ) : null}
      {shown.length > VIRTUAL_FROM ? (
        <div className="settings-long">
          <VirtualList
            label="Rules"
            items={shown}
            keyOf={(rule) => rule.id}
            rowHeight={72}
            render={(rule) => <RuleRow rule={rule} onRevoke={() => void revoke(rule)} />}
          />
        </div>
      ) : (
        <ul className="settings-list" aria-label="Rules">
          {shown.map((rule) => (
            <li key={rule.id}>
              <RuleRow rule={rule} onRevoke={() => void revoke(rule)} />
            </li>
          ))}
        </ul>
      )}
      {shown.length === 0 ? <p className="soft">No rule matches “{search.trim()}”.</p> : null}
    </>
  )
}

function RuleRow({ rule, onRevoke }: { readonly rule: ConsentRuleView; readonly onRevoke: () => void }) {
  return (
    <div className={rule.asleep ? 'settings-row settings-row-asleep' : 'settings-row'}>
      <div className="settings-row-text">
        <div>
          <strong>
            <VisibleText text={rule.tool} />
          </strong>{' '}
          of <VisibleText text={rule.serverName} />
        </div>
        <div>
          {rule.scope === 'always' ? (
            'Always, in every conversation, with any arguments'
          ) : (
            <>
              In the conversation “<VisibleText text={rule.conversationTitle || 'New conversation'} />
              ”, with any arguments
            </>
          )}
        </div>
        {rule.asleep ? <div className="settings-asleep">{ASLEEP_WORDS[rule.asleep]}</div> : null}
        <div className="meta">
          Made <RelativeTime at={rule.madeAt} /> · {rule.uses === 0 ? 'never used' : `used ${counted(rule.uses, 'time')}`}
          {rule.lastUsedAt === undefined ? null : (
            <>
              , last <RelativeTime at={rule.lastUsedAt} />
            </>
          )}
        </div>
      </div>
      <Button size="small" aria-description={`${visibleText(rule.tool)} of ${visibleText(rule.serverName)}`} onClick={onRevoke}>
        Revoke
      </Button>
    </div>
  )
}
