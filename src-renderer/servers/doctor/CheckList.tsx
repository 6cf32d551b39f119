import type { ReactNode } from 'react'
import type { Check, CheckId } from '../../../src-shared/contract/doctor.ts'
import { CheckIcon, CloseIcon, WarningIcon } from '../../ui/icons.tsx'
import { CHECK_TITLES, type CheckState, STATE_LABELS } from './check-labels.ts'

interface ShownCheck {
  readonly id: CheckId
  readonly state: CheckState
  readonly what: string
}

/** The checks in order, each with an icon and a word. Checks after a failure share one line. */
export function CheckList({ checks }: { readonly checks: readonly (Check | ShownCheck)[] }) {
  const last = checks.findIndex(({ state }) => state === 'failed')
  const seen = last < 0 ? checks : checks.slice(0, last + 1)
  const open = checks.slice(seen.length)
  return (
    <ol className="card divided" aria-label="Checks">
      {seen.map(({ id, state, what }) => (
        <Line key={id} state={state} title={CHECK_TITLES[id]} what={what} />
      ))}
      {open.length > 0 ? (
        <Line state="not-reached" title="After that" what={open.map(({ id }) => CHECK_TITLES[id]).join(', ')} />
      ) : null}
    </ol>
  )
}

function Line({ state, title, what }: { readonly state: CheckState; readonly title: string; readonly what: string }) {
  return (
    <li className={`check small check-${state}`}>
      <span className="check-icon">{ICONS[state]}</span>
      <span className="check-title">{title}</span>
      <span className="check-what">{what}</span>
      <span className="check-word soft">{STATE_LABELS[state]}</span>
    </li>
  )
}

const ICONS: Readonly<Record<CheckState, ReactNode>> = {
  passed: <CheckIcon />,
  failed: <CloseIcon />,
  warning: <WarningIcon />,
  'not-reached': <span className="check-dash" />,
  looking: <span className="check-dash check-dash-open" />,
}
