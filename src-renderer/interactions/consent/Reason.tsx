import type { ConsentCall } from '../../../src-shared/contract/consent.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import { GuardNotes } from '../../content/GuardNotes.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { isEveryday, sharedReason, withSharedWarnings } from './consent-calls.ts'

interface ReasonProps {
  readonly calls: readonly ConsentCall[]
  readonly conversationId: ConversationId | undefined
}

/** Why the calls are asked about, in one line below the title; nothing where each call has its own. */
export function Reason({ calls, conversationId }: ReasonProps) {
  const [first, ...others] = calls
  if (!first) return null
  if (others.length > 0) {
    const { warnings } = withSharedWarnings(calls)
    if (warnings.length > 0) return <GuardNotes guards={warnings} conversationId={conversationId} />
    const reason = sharedReason(calls)
    return reason === undefined ? null : <ReasonLine text={reason} />
  }
  const [warning] = first.guards.filter((guard) => !isEveryday(guard))
  return warning ? (
    <GuardNotes guards={[warning]} conversationId={conversationId} />
  ) : (
    <ReasonLine text={[...first.guards.map(({ text }) => text), ...(first.guards.length > 0 ? [] : [first.why])].join(' ')} />
  )
}

/** The warnings that the line below the title did not say. */
export function FurtherWarnings({
  call: { guards },
  conversationId,
}: { readonly call: ConsentCall } & Pick<ReasonProps, 'conversationId'>) {
  return <GuardNotes guards={guards.filter((guard) => !isEveryday(guard)).slice(1)} conversationId={conversationId} />
}

/** All that is said about one call of several. */
export function CallReasons({ call: { guards, why }, shared, conversationId }: CallReasonsProps) {
  const everyday = guards.filter(isEveryday).map(({ text }) => text)
  return (
    <>
      {shared && everyday.length === 0 ? null : <ReasonLine text={[...(shared ? [] : [why]), ...everyday].join(' ')} />}
      <GuardNotes guards={guards.filter((guard) => !isEveryday(guard))} conversationId={conversationId} />
    </>
  )
}

interface CallReasonsProps extends Pick<ReasonProps, 'conversationId'> {
  readonly call: ConsentCall
  /** The reason of all calls is said above them. */
  readonly shared: boolean
}

function ReasonLine({ text }: { readonly text: string }) {
  return (
    <p className="small">
      <VisibleText text={text} />
    </p>
  )
}
