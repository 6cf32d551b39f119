import { type ReactNode, useState } from 'react'
import { DEMO_MODEL } from '../../src-shared/contract/settings.ts'
import { attempt } from '../state/attempt.ts'
import { createConversation, leaveWelcome, send } from '../state/conversation-actions.ts'
import { useHost } from '../state/host-store.ts'
import { ADD_PROVIDER, ADD_SERVER } from '../state/route.ts'
import { useRequest } from '../state/use-request.ts'
import { navigate, openImport } from '../state/view-store.ts'
import { Button } from '../ui/Button.tsx'
import { importLabel } from '../ui/import-label.ts'
import './welcome.css'

/** The first page: it leads a newcomer to a first tool call. */
export function WelcomeView() {
  const [trying, setTrying] = useState(false)
  const returning = useHost((mirror) => mirror.host.conversations.length > 0)
  const looked = useRequest('import.look', {}).value?.found ?? []
  const found = looked.filter(({ servers }) => servers > 0)
  const tryIt = async () => {
    setTrying(true)
    await attempt(firstCall())
    setTrying(false)
  }
  return (
    <div className="welcome column-5">
      <header className="column">
        <h1>Welcome to Parley</h1>
        <p>Parley connects language models to tools through the Model Context Protocol. You decide before a tool runs.</p>
      </header>
      <ol className="welcome-steps divided card">
        <Step
          title="See a tool call"
          action={
            <Button variant="primary" disabled={trying} onClick={() => void tryIt()}>
              Try it now
            </Button>
          }
        >
          No key, no network: the Demo model adds two numbers with the built-in Playground. Sends <code>{FIRST_MESSAGE}</code> in
          a new conversation.
        </Step>
        <Step
          title="Bring your own tools"
          action={
            <div className="actions">
              <Button onClick={() => void attempt(leaveFor('import'))}>{importLabel(found)}</Button>
              <Button onClick={() => void attempt(leaveFor('servers'))}>Add a server</Button>
            </div>
          }
        >
          {found.length > 0 ? null : 'A local program or a remote server. Paste a command, URL or JSON. '}
          Nothing starts before you allow it.
        </Step>
        <Step
          title="Bring your own model"
          action={<Button onClick={() => void attempt(leaveFor('models'))}>Connect a model</Button>}
        >
          Anthropic, OpenAI, or one that runs on this computer with Ollama or LM Studio.
        </Step>
      </ol>
      <div>
        <Button variant="quiet" onClick={() => void attempt(leaveWelcome())}>
          {returning ? 'Close this page' : 'Skip this page'}
        </Button>
        <span className="meta"> Find it later in Settings, About.</span>
      </div>
    </div>
  )
}

function Step({ title, children, action }: { readonly title: string; readonly children: ReactNode; readonly action: ReactNode }) {
  return (
    <li className="welcome-step line">
      <div className="welcome-step-text">
        <h2>{title}</h2>
        <p className="soft">{children}</p>
      </div>
      {action}
    </li>
  )
}

const FIRST_MESSAGE = 'add 2 and 3'

/** Sends the first message as the person would; the call asks for consent as any other. */
async function firstCall(): Promise<void> {
  const id = await createConversation(DEMO_MODEL)
  await send(id, FIRST_MESSAGE)
}

/** Opens the import, or the dialog that adds a server or a provider of models. */
function leaveFor(section: 'servers' | 'import' | 'models'): Promise<null> {
  if (section === 'import') openImport()
  else navigate(section === 'models' ? ADD_PROVIDER : ADD_SERVER)
  return leaveWelcome()
}
