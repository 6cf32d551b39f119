import { changeSettings } from '../state/ask.ts'
import { attempt } from '../state/attempt.ts'
import { useHost } from '../state/host-store.ts'
import { navigate } from '../state/view-store.ts'
import { Button } from '../ui/Button.tsx'
import { Fact } from '../ui/Fact.tsx'

export function AboutSection() {
  const version = useHost((mirror) => mirror.host.version)
  const shell = useHost((mirror) => mirror.host.shell)
  const platform = useHost((mirror) => mirror.host.platform)
  return (
    <div className="settings-fields column-4">
      <dl className="column">
        <Fact name="Version">
          Parley {version}, {shell === 'electron' ? 'desktop app' : 'in the browser'}
          {platform ? ` on ${platform}` : ''}
        </Fact>
        <Fact name="Fonts">
          <p>
            Inter, copyright 2016 The Inter Project Authors, and JetBrains Mono, copyright 2020 The JetBrains Mono Project
            Authors.
          </p>
          <p className="meta">Licensed under the SIL Open Font License 1.1, which comes with Parley: openfontlicense.org.</p>
        </Fact>
      </dl>
      <div className="actions">
        <Button onClick={() => navigate({ section: 'help' })}>User guide</Button>
        <Button onClick={() => navigate({ section: 'help', id: 'report' })}>Report a problem</Button>
        <Button onClick={() => void attempt(showWelcome())}>Show the welcome page</Button>
      </div>
    </div>
  )
}

async function showWelcome(): Promise<void> {
  await changeSettings({ welcomed: false })
  navigate({ section: 'conversations' })
}
