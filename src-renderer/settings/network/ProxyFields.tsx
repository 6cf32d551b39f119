import { type FormEvent, useState } from 'react'
import { exceptionsProblem, proxyAddress, proxyProblem } from '../../../src-shared/base/proxy-address.ts'
import type { KeyState, ProxyChoice } from '../../../src-shared/contract/settings.ts'
import { useSavedChoice } from '../../forms/use-saved-choice.ts'
import { useSecretPlace } from '../../forms/use-secret-place.ts'
import { ask, changeSettings } from '../../state/ask.ts'
import { useHost } from '../../state/host-store.ts'
import { useAction } from '../../state/use-action.ts'
import { Button } from '../../ui/Button.tsx'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { RadioGroup } from '../../ui/fields/RadioGroup.tsx'
import { SecretField } from '../../ui/fields/SecretField.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'

/** Requests to this computer must not reach a company's proxy. */
const THIS_COMPUTER = 'localhost, 127.0.0.1, ::1'

interface ProxyFieldsProps {
  readonly proxy: ProxyChoice
  /** Undefined while unknown. */
  readonly password: KeyState | undefined
  readonly onPassword: () => void
}

/** The choice of a proxy. It applies at once, an address when it is complete. */
export function ProxyFields({ proxy, password, onPassword }: ProxyFieldsProps) {
  const shell = useHost((mirror) => mirror.host.shell)
  const { problem, run } = useAction()
  const [typing, setTyping] = useState(false)
  const [saved, save] = useSavedChoice(proxy.use, (wanted) =>
    run(async () => wanted !== 'address' && changeSettings({ proxy: { use: wanted } })),
  )
  const use = typing ? 'address' : saved
  const choose = (wanted: ProxyChoice['use']) => {
    setTyping(wanted === 'address')
    save(wanted)
  }
  return (
    <>
      <RadioGroup
        label="Proxy"
        options={[
          { value: 'system', label: 'System', hint: SYSTEM[shell] },
          { value: 'none', label: 'None' },
          { value: 'address', label: 'Own address' },
        ]}
        value={use}
        onChange={choose}
      />
      <FailureLine problem={problem} />
      {use === 'address' ? <AddressForm proxy={proxy} password={password} onPassword={onPassword} /> : null}
    </>
  )
}

const SYSTEM = {
  electron: 'From the network settings of this computer.',
  web: 'From HTTPS_PROXY and NO_PROXY in Parley’s environment.',
} as const

function AddressForm({ proxy, password, onPassword }: ProxyFieldsProps) {
  const kept = proxy.use === 'address' ? proxy : { address: '', except: THIS_COMPUTER }
  const [address, setAddress] = useState(kept.address)
  const [except, setExcept] = useState(kept.except)
  const [typed, setTyped] = useState('')
  const [judged, setJudged] = useState(false)
  const { busy, problem, run } = useAction()
  const place = useSecretPlace()
  const saved = password === 'saved' || password === 'memory-only'
  const inUse = proxy.use === 'address' && proxy.address === address && proxy.except === except.trim() && typed === ''
  const wrong = {
    address: proxyProblem(address),
    except: exceptionsProblem(except),
    password: typed !== '' && !address.includes('@') ? 'Write the user into the address: http://you@…' : undefined,
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setJudged(true)
    if (busy || Object.values(wrong).some((problem) => problem !== undefined)) return
    void run(async () => {
      await changeSettings({ proxy: { use: 'address', address, except } })
      if (typed !== '') await ask('network.setPassword', { password: typed })
      setAddress(proxyAddress(address))
      setTyped('')
      onPassword()
    })
  }
  const forget = () =>
    run(async () => {
      await ask('network.setPassword', { password: null })
      onPassword()
    })
  return (
    <form className="column-4 ruled" noValidate onSubmit={submit}>
      <TextField
        code
        label="Proxy address"
        required
        inputMode="url"
        hint="For example http://proxy.example:8080, or http://you@proxy.example:8080 if it needs a sign-in."
        problem={judged ? wrong.address : undefined}
        value={address}
        onChange={setAddress}
      />
      <SecretField
        label="Proxy password"
        hint={
          saved ? 'One is stored. Leave this empty to keep it.' : `Only if the proxy needs one. Stored ${place}, never shown.`
        }
        problem={judged ? wrong.password : undefined}
        value={typed}
        onChange={setTyped}
      />
      <TextField
        code
        label="Reached directly"
        hint="Hosts that need no proxy, such as *.corp.example. As in NO_PROXY."
        problem={judged ? wrong.except : undefined}
        value={except}
        onChange={setExcept}
      />
      <div className="line">
        <Button type="submit" variant="primary" disabled={busy}>
          Use this proxy
        </Button>
        {saved ? (
          <Button variant="quiet" onClick={() => void forget()}>
            Forget password
          </Button>
        ) : null}
        <span className="meta" role="status">
          {inUse ? 'In use' : ''}
        </span>
      </div>
      <FailureLine problem={problem} />
    </form>
  )
}
