import type { UpdateState } from '../../src-shared/contract/events.ts'
import { ask } from '../state/ask.ts'
import { attempt } from '../state/attempt.ts'
import { useHost } from '../state/host-store.ts'
import { Button } from '../ui/Button.tsx'
import { ProblemCard } from '../ui/ProblemCard.tsx'

export function DesktopSection() {
  const update = useHost((mirror) => mirror.host.desktop?.update)
  if (!update) return null
  return (
    <div className="column-3">
      {update.is === 'failed' ? <ProblemCard problem={update.problem} /> : <p role="status">{updateSentence(update)}</p>}
      <div className="actions">
        {update.is === 'available' ? (
          <Button onClick={() => void attempt(ask('update.download', {}))}>Download</Button>
        ) : update.is === 'ready' ? (
          <Button onClick={() => void attempt(ask('update.install', {}))}>Install and restart</Button>
        ) : (
          <Button
            disabled={update.is === 'checking' || update.is === 'downloading'}
            onClick={() => void attempt(ask('update.check', {}))}
          >
            Check for updates
          </Button>
        )}
      </div>
    </div>
  )
}

function updateSentence(update: Exclude<UpdateState, { is: 'failed' }>): string {
  switch (update.is) {
    case 'unknown':
      return 'Not checked since Parley started.'
    case 'checking':
      return 'Checking for updates.'
    case 'newest':
      return 'This is the newest version.'
    case 'available':
      return `Version ${update.version} is available.`
    case 'downloading':
      return `Downloading version ${update.version}: ${Math.round(update.share * 100)} %.`
    case 'ready':
      return `Version ${update.version} is downloaded and verified.`
  }
}
