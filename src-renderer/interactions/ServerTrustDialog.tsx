import { type ReactNode, useState } from 'react'
import { quotedWords } from '../../src-shared/base/quoted-words.ts'
import type { ServerId } from '../../src-shared/contract/ids.ts'
import type { LaunchAsked } from '../../src-shared/contract/interactions.ts'
import type { FolderSuggestion } from '../../src-shared/contract/projects.ts'
import type { LaunchSummary } from '../../src-shared/contract/servers.ts'
import { EmphasisedText } from '../content/text/EmphasisedText.tsx'
import { readChosen, useFolderChoice } from '../forms/folders/use-folder-choice.tsx'
import { Disclosure } from '../ui/Disclosure.tsx'
import { Checkbox } from '../ui/fields/Checkbox.tsx'
import { RadioGroup } from '../ui/fields/RadioGroup.tsx'
import { GrantButton } from '../ui/GrantButton.tsx'
import type { Granting } from '../ui/grants/use-grant.ts'
import { policyLine } from '../ui/policy-line.ts'
import { VisibleText } from '../ui/VisibleText.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { answeredBy } from './frame/answer-keys.ts'
import { QuestionFrame } from './frame/QuestionFrame.tsx'
import { readUnticked, useDraft } from './frame/use-draft.ts'
import { type Asking, type QuestionProps, useQuestion } from './frame/use-question.tsx'
import { CAN, LaunchView } from './LaunchView.tsx'
import { OPEN, proposedStart, type StartChoice, StartChoices, useStartWays, whyOpen } from './StartChoices.tsx'
import type { StartWays } from './start-ways.ts'

const NONE: readonly FolderSuggestion[] = []

interface TrustFrameProps {
  readonly frame: Asking<'server-trust'>['frame']
  readonly refusal: ReactNode
  readonly local: boolean
  /** "this server", "these 3 servers". */
  readonly which: string
  readonly several?: boolean
  readonly sentence: ReactNode
  readonly allow: string
  readonly held: boolean
  readonly onAllow: (by: Granting) => void
  readonly children: ReactNode
}

function TrustFrame(props: TrustFrameProps) {
  const { frame, refusal, local, which, several, sentence, allow, held, onAllow, children } = props
  return (
    <QuestionFrame
      {...frame}
      {...(several && { speaker: false })}
      title={`${local ? 'Start' : 'Connect to'} ${which}?`}
      causeFolded
      sentence={<p>{sentence}</p>}
      why={
        <p>
          Only you can tell whether {several ? 'these are' : 'this is'} what you meant to {local ? 'start' : 'connect to'}. Your
          answer applies {several ? 'to each ' : ''}until anything above changes.
        </p>
      }
      refusals={refusal}
      choices={
        <GrantButton variant="allow" {...answeredBy('allow')} held={held} onGrant={onAllow}>
          {allow}
        </GrantButton>
      }
    >
      {children}
    </QuestionFrame>
  )
}

/** May this program run, or this address be contacted? */
export function ServerTrustDialog(props: QuestionProps<'server-trust'>) {
  const { about, question } = props.interaction
  const { frame, refusal, held, grant } = useQuestion(props)
  const { launch, changed = [], suggestions } = question
  const { draft: chosen, change, problem: unkept } = useDraft(props.interaction, readChosen)
  const choice = useFolderChoice(`Choose a folder for ${visibleText(about.serverName)}`, suggestions ?? NONE, chosen, change)
  const { folders } = choice
  const [beganChosen] = useState(chosen.length > 0)
  const local = launch.type === 'local'
  const [chosenStart, setStart] = useState<StartChoice>()
  const startWays = useStartWays(local && !launch.fence && changed.length === 0 ? [about.serverId] : [])
  // Choices that came later would move the buttons below a hand.
  if (!startWays) return null
  const way = startWays.get(about.serverId)
  const start = chosenStart ?? proposedStart(way)
  const runs = start === 'open' ? undefined : start === 'watched' ? start : way?.proposal
  return (
    <TrustFrame
      frame={{ ...frame, problem: frame.problem ?? unkept }}
      refusal={refusal('Deny', { decision: 'deny' })}
      local={local}
      which="this server"
      sentence={
        !local
          ? 'It receives the arguments of every call to its tools.'
          : start === 'fenced' || launch.fence
            ? 'It runs behind a fence.'
            : 'It runs with your full user permissions.'
      }
      allow="Allow"
      held={held}
      onAllow={(by) => grant(by, { decision: 'allow', ...(folders.length > 0 && { folders }), ...(runs && { runs }) })}
    >
      {changed.length > 0 ? (
        <div className="question-changed column-1">
          <strong>Changed since you allowed it:</strong>
          <ul>
            {changed.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
        </div>
      ) : null}
      <LaunchView launch={launch} />
      {way ? <StartChoices {...way} value={start} onChange={setStart} /> : null}
      {suggestions ? (
        <Disclosure summary="Folders to share (optional)" open={beganChosen}>
          <div className="column-3">
            <p className="meta">It sees their paths and names (roots). A hint, not a sandbox.</p>
            {choice.fields}
          </div>
        </Disclosure>
      ) : null}
      {choice.dialog}
    </TrustFrame>
  )
}

export function ServersTrustDialog(props: QuestionProps<'servers-trust'>) {
  const { servers } = props.interaction.question
  const { frame, refusal, held, grant } = useQuestion(props)
  const { draft: unticked, change } = useDraft(props.interaction, readUnticked<ServerId>)
  const ticked = servers.filter(({ serverId }) => !unticked.includes(serverId))
  const local = servers[0]?.launch.type === 'local'
  const [fenced, setFenced] = useState(true)
  const ways = useStartWays(
    servers.flatMap(({ serverId, launch }) => (launch.type === 'local' && !launch.fence ? [serverId] : [])),
  )
  if (!ways) return null
  const fenceable = [...ways].filter(([, way]) => proposedStart(way) === 'fenced')
  const allFenceable = fenceable.length === servers.length
  const fences = fenceable.flatMap(([serverId, { proposal }]) =>
    fenced && !unticked.includes(serverId) ? [{ serverId, fence: proposal }] : [],
  )
  return (
    <TrustFrame
      frame={frame}
      refusal={refusal('Deny', { decision: 'deny' })}
      local={local}
      which={servers.length === 1 ? 'this server' : `these ${servers.length} servers`}
      several
      sentence={
        <>
          {!local
            ? 'They receive the arguments of every call to their tools.'
            : fenced && allFenceable
              ? 'They run behind the fences named below.'
              : 'They run with your full user permissions unless a fence is named.'}{' '}
          Unticked ones are denied.
        </>
      }
      allow={`Allow ${ticked.length === servers.length ? '' : `${ticked.length} of `}${servers.length}`}
      held={held || ticked.length === 0}
      onAllow={(by) =>
        grant(by, { decision: 'allow', servers: ticked.map(({ serverId }) => serverId), ...(fenced && { fences }) })
      }
    >
      {fenceable.length > 0 ? (
        <RadioGroup
          label="How they start"
          options={[
            OPEN,
            {
              value: 'fenced',
              label: 'Fenced',
              hint: allFenceable
                ? 'Each line says what it reaches.'
                : `${fenceable.length} of ${servers.length}: each line says what it reaches, or why it stays open.`,
            },
          ]}
          value={fenced ? 'fenced' : 'open'}
          onChange={(value) => setFenced(value === 'fenced')}
        />
      ) : null}
      <ul className="launches divided framed">
        {servers.map((server) => (
          <Launch
            key={server.serverId}
            server={server}
            reach={
              fenced && server.launch.type === 'local' && !server.launch.fence ? reachLine(ways.get(server.serverId)) : undefined
            }
            ticked={!unticked.includes(server.serverId)}
            onTick={(tick) => change(tick ? unticked.filter((id) => id !== server.serverId) : [...unticked, server.serverId])}
          />
        ))}
      </ul>
    </TrustFrame>
  )
}

const reachLine = (way: StartWays | undefined) =>
  way && proposedStart(way) === 'fenced' ? policyLine(way.proposal) : `Open. ${(way && whyOpen(way)) ?? 'It could not be read.'}`

interface LaunchProps {
  readonly server: LaunchAsked
  readonly reach: string | undefined
  readonly ticked: boolean
  readonly onTick: (ticked: boolean) => void
}

/** One server: its tick, what would run in one line, what to beware of; and, opened, everything. */
function Launch({ server: { serverName, launch }, reach, ticked, onTick }: LaunchProps) {
  const warnings = warningsOf(launch)
  return (
    <li>
      <Checkbox label={<VisibleText as="strong" text={serverName} />} checked={ticked} onChange={onTick} />
      <div className="column-1 indented">
        <p className="code pre-wrap breaks">
          <EmphasisedText text={launch.type === 'remote' ? launch.url : quotedWords([launch.command, ...launch.args])} />
        </p>
        {reach ? <VisibleText as="p" className="meta breaks" text={reach} /> : null}
        {warnings.map((warning) => (
          <p key={warning} className="tone-fail medium">
            <VisibleText text={warning} />
          </p>
        ))}
        <Disclosure
          summary={
            <>
              Details<span className="unseen"> of {serverName}</span>
            </>
          }
        >
          <LaunchView launch={launch} />
        </Disclosure>
      </div>
    </li>
  )
}

/** The summary of a launch in a list of several. */
function warningsOf(launch: LaunchSummary): string[] {
  if (launch.type === 'remote') return []
  return [
    ...(launch.resolved === undefined ? ['Not found on this computer'] : []),
    ...launch.env.flatMap(({ name, can }) => (can ? [`${name} ${CAN[can]}`] : [])),
  ]
}
