import { useState } from 'react'
import type { ConsentRuleView } from '../../src-shared/contract/settings.ts'
import { ask } from '../state/ask.ts'
import { attempt } from '../state/attempt.ts'
import { useHost } from '../state/host-store.ts'
import { UNTITLED } from '../state/selectors.ts'
import { useAsked } from '../state/use-asked.ts'
import { announce } from '../state/view-store.ts'
import { counted } from '../ui/amounts.ts'
import { Button } from '../ui/Button.tsx'
import { SearchField } from '../ui/fields/SearchField.tsx'
import { Rows } from '../ui/lists/Rows.tsx'
import { ProblemCard } from '../ui/ProblemCard.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { ASLEEP_WORDS, rulesNamed } from './consent-rules.ts'

const SEARCH_FROM = 8
const VIRTUAL_FROM = 100

/** Every remembered permission, and the way to take it back. */
export function ConsentSection() {
  // A rule comes into being only with an answered question, so the open questions say when to read again.
  const questions = useHost((mirror) => mirror.host.interactions)
  const { value, problem, again } = useAsked('consent.list', {}, { anew: [questions] })
  const [search, setSearch] = useState('')
  const revoke = async (rule: ConsentRuleView) => {
    if (!(await attempt(ask('consent.revoke', { id: rule.id })))) return
    again()
    announce(`Revoked the rule for ${rule.tool}`)
  }
  if (problem !== undefined) {
    return (
      <ProblemCard
        problem={{ code: 'consent', what: problem }}
        actions={
          <Button size="small" onClick={again}>
            Try again
          </Button>
        }
      />
    )
  }
  if (!value) return <Skeleton label="Loading the rules" />
  const { rules } = value
  if (rules.length === 0) {
    return (
      <p className="soft">No rules. You are asked before each tool call; what you allow for longer than once is listed here.</p>
    )
  }
  const shown = rulesNamed(rules, search)
  return (
    <>
      {rules.length >= SEARCH_FROM ? <SearchField label="Search rules" value={search} onChange={setSearch} /> : null}
      <Rows
        many={shown.length > VIRTUAL_FROM}
        label="Rules"
        items={shown}
        keyOf={(rule) => rule.id}
        rowHeight={72}
        render={(rule) => <RuleRow rule={rule} onRevoke={() => void revoke(rule)} />}
      />
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
              In the conversation “<VisibleText text={rule.conversationTitle || UNTITLED} />
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
