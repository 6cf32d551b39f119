import { type ReactNode, useState } from 'react'
import { attempt } from '../state/attempt.ts'
import { useHost } from '../state/host-store.ts'
import { Button } from '../ui/Button.tsx'
import { FIRST_MESSAGE, firstCall, leaveFor, leaveWelcome } from './first-steps.ts'
import './welcome.css'

/** The newcomer's page: what this is, and the way to a first tool call. */
export function WelcomeView() {
  const [trying, setTrying] = useState(false)
  const again = useHost((mirror) => mirror.host.conversations.length > 0)
  const tryIt = async () => {
    setTrying(true)
    await attempt(firstCall())
    setTrying(false)
  }
  return (
    <div className="welcome">
      <header>
        <h1 className="welcome-title">Welcome to Parley</h1>
        <p>
          Parley connects language models to tools: programs and services that speak the Model Context Protocol. Before a tool
          runs, you see exactly what it is asked to do, and decide.
        </p>
      </header>
      <ol className="welcome-steps">
        <Step
          title="See a tool call"
          action={
            <Button variant="primary" disabled={trying} onClick={() => void tryIt()}>
              Try it now
            </Button>
          }
        >
          Needs no key and no network: the Demo model asks the built-in Playground to add two numbers, and you are asked whether
          it may. It sends <code>{FIRST_MESSAGE}</code> in a new conversation.
        </Step>
        <Step
          title="Bring your own tools"
          action={<Button onClick={() => void attempt(leaveFor('servers'))}>Add a server</Button>}
        >
          A local program or a remote address. Snippets from a server’s documentation can be pasted as they are. Nothing is
          started before you allowed it.
        </Step>
        <Step
          title="Bring your own model"
          action={<Button onClick={() => void attempt(leaveFor('settings'))}>Connect a model</Button>}
        >
          Anthropic, OpenAI, or one that runs on this computer with Ollama or LM Studio.
        </Step>
      </ol>
      <div>
        <Button variant="quiet" onClick={() => void attempt(leaveWelcome())}>
          {again ? 'Close this page' : 'Skip this page'}
        </Button>
        <span className="meta"> It can be found again in the settings, under About.</span>
      </div>
    </div>
  )
}

interface StepProps {
  readonly title: string
  readonly children: ReactNode
  readonly action: ReactNode
}

function Step({ title, children, action }: StepProps) {
  return (
    <li className="welcome-step">
      <div className="welcome-step-text">
        <h2>{title}</h2>
        <p className="soft">{children}</p>
      </div>
      {action}
    </li>
  )
}
