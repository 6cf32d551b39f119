import { quotedWords } from '../../src-shared/base/quoted-words.ts'
import type { ServerId } from '../../src-shared/contract/ids.ts'
import type { LaunchAsked } from '../../src-shared/contract/interactions.ts'
import { EmphasisedText } from '../content/text/EmphasisedText.tsx'
import { Button } from '../ui/Button.tsx'
import { Checkbox } from '../ui/fields/Checkbox.tsx'
import { GrantButton } from '../ui/GrantButton.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { answeredBy } from './frame/answer-keys.ts'
import { QuestionFrame } from './frame/QuestionFrame.tsx'
import { readUnticked, useDraft } from './frame/use-draft.ts'
import { type QuestionProps, useQuestion } from './frame/use-question.ts'
import { LaunchView } from './LaunchView.tsx'
import { warningsOf } from './several-launches.ts'

/** May these servers of one kind begin? Who is not ticked is denied. */
export function ServersTrustDialog(props: QuestionProps<'servers-trust'>) {
  const { servers } = props.interaction.question
  const { frame, safe, busy, held, refuse, grant } = useQuestion(props)
  const { draft: unticked, change } = useDraft(props.interaction, readUnticked<ServerId>)
  const ticked = servers.filter(({ serverId }) => !unticked.includes(serverId))
  const local = servers[0]?.launch.type === 'local'
  const count = servers.length === 1 ? 'this server' : `these ${servers.length} servers`
  return (
    <QuestionFrame
      {...frame}
      title={local ? `Start ${count}?` : `Connect to ${count}?`}
      servers={[]}
      sentence={
        local
          ? 'They run with your full user permissions. Unchecked servers are denied.'
          : 'They receive the arguments of every call to their tools. Unchecked servers are denied.'
      }
      why={
        <p>
          Only you can tell whether these are what you meant to {local ? 'start' : 'connect to'}. Your answer applies to each
          until anything above changes.
        </p>
      }
      refusals={
        <Button ref={safe} {...answeredBy('deny')} disabled={busy} onClick={() => refuse({ decision: 'deny' })}>
          Deny
        </Button>
      }
      choices={
        <GrantButton
          variant="allow"
          {...answeredBy('allow')}
          held={held || ticked.length === 0}
          onGrant={(by) => grant(by, { decision: 'allow', servers: ticked.map(({ serverId }) => serverId) })}
        >
          {ticked.length === servers.length ? `Allow ${servers.length}` : `Allow ${ticked.length} of ${servers.length}`}
        </GrantButton>
      }
    >
      <ul className="launches framed">
        {servers.map((server) => (
          <Launch
            key={server.serverId}
            server={server}
            ticked={!unticked.includes(server.serverId)}
            onTick={(tick) => change(tick ? unticked.filter((id) => id !== server.serverId) : [...unticked, server.serverId])}
          />
        ))}
      </ul>
    </QuestionFrame>
  )
}

interface LaunchProps {
  readonly server: LaunchAsked
  readonly ticked: boolean
  readonly onTick: (ticked: boolean) => void
}

/** One server: its tick, what would run in one line, what to beware of; and, opened, everything. */
function Launch({ server: { serverName, launch }, ticked, onTick }: LaunchProps) {
  const warnings = warningsOf(launch)
  return (
    <li className="launches-one">
      <Checkbox
        label={
          <strong>
            <VisibleText text={serverName} />
          </strong>
        }
        checked={ticked}
        onChange={onTick}
      />
      <div className="launches-more">
        <p className="launches-line">
          <EmphasisedText text={launch.type === 'remote' ? launch.url : quotedWords([launch.command, ...launch.args])} />
        </p>
        {warnings.map((warning) => (
          <p key={warning} className="launch-grave">
            <VisibleText text={warning} />
          </p>
        ))}
        <details>
          <summary className="meta">
            Details<span className="unseen"> of {serverName}</span>
          </summary>
          <LaunchView launch={launch} />
        </details>
      </div>
    </li>
  )
}
