import { useState } from 'react'
import type { ConsentRuleView } from '../../../src-shared/contract/consent.ts'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { announce } from '../../state/view-store.ts'
import { counted } from '../../ui/amounts.ts'
import { Button } from '../../ui/Button.tsx'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { SearchField } from '../../ui/fields/SearchField.tsx'
import { Rows } from '../../ui/lists/Rows.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { dayOf } from '../../ui/time.ts'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { EFFECT_LABELS, PAUSE_LABELS, ruleServers, scopeLabel, searchRules } from './consent-rules.ts'

const SEARCH_FROM = 8
const VIRTUAL_FROM = 100
const CHIPS: Readonly<Record<ConsentRuleView['effect'], string>> = {
  allow: 'chip',
  ask: 'chip chip-wait',
  deny: 'chip chip-fail',
}

/** The rules, searchable and removable. Those of ended conversations are folded. */
export function RuleList({ rules, onChange }: { readonly rules: readonly ConsentRuleView[]; readonly onChange: () => void }) {
  const [search, setSearch] = useState('')
  if (rules.length === 0) {
    return <p className="soft">No rules yet. Lasting answers appear here.</p>
  }
  const remove = async (rule: ConsentRuleView) => {
    if (!(await attempt(ask('consent.revoke', { id: rule.id })))) return
    onChange()
    announce(`Removed the rule: ${visibleText(rule.words)}`)
  }
  const found = searchRules(rules, search)
  const ended = found.filter((rule) => rule.ended)
  return (
    <>
      {rules.length >= SEARCH_FROM ? <SearchField label="Search rules" value={search} onChange={setSearch} /> : null}
      <RuleRows label="Rules" rules={found.filter((rule) => !rule.ended)} onRemove={(rule) => void remove(rule)} />
      {ended.length > 0 ? (
        <Disclosure summary={`${counted(ended.length, 'rule')} of conversations that have ended`} open={search.trim() !== ''}>
          <RuleRows label="Rules of ended conversations" rules={ended} onRemove={(rule) => void remove(rule)} />
        </Disclosure>
      ) : null}
      {found.length === 0 ? <p className="soft">No rule matches “{search.trim()}”.</p> : null}
    </>
  )
}

interface RuleRowsProps {
  readonly label: string
  readonly rules: readonly ConsentRuleView[]
  readonly onRemove: (rule: ConsentRuleView) => void
}

function RuleRows({ label, rules, onRemove }: RuleRowsProps) {
  if (rules.length === 0) return null
  return (
    <Rows
      many={rules.length > VIRTUAL_FROM}
      label={label}
      items={rules}
      keyOf={(rule) => rule.id}
      rowHeight={72}
      render={(rule) => <RuleRow rule={rule} onRemove={() => onRemove(rule)} />}
    />
  )
}

function RuleRow({ rule, onRemove }: { readonly rule: ConsentRuleView; readonly onRemove: () => void }) {
  return (
    <div className={rule.paused ? 'settings-row settings-row-paused' : 'settings-row'}>
      <div className="column-tight grow">
        <div className="rule-words">
          <span className={CHIPS[rule.effect]}>{EFFECT_LABELS[rule.effect]}</span> <VisibleText as="strong" text={rule.words} />
        </div>
        {rule.paused ? <div className="tone-wait small">{PAUSE_LABELS[rule.paused]}</div> : null}
        <div className="rule-facts meta">
          <span>{scopeLabel(rule, dayOf)}</span>
          <VisibleText as="span" text={ruleServers(rule)} />
          <span>
            {rule.uses === 0 ? 'Never used' : `Used ${counted(rule.uses, 'time')}`}
            {rule.lastUsedAt === undefined ? null : (
              <>
                , last <RelativeTime at={rule.lastUsedAt} />
              </>
            )}
          </span>
          <span>
            Made <RelativeTime at={rule.madeAt} />
          </span>
        </div>
      </div>
      <Button size="small" aria-description={visibleText(rule.words)} onClick={onRemove}>
        Remove
      </Button>
    </div>
  )
}
