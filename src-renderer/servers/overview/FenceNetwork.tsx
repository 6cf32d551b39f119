import { type FormEvent, useState } from 'react'
import { hostPattern, patternText } from '../../../src-shared/base/host-pattern.ts'
import { FENCED_HOSTS, type FencePolicy } from '../../../src-shared/contract/servers.ts'
import { Button } from '../../ui/Button.tsx'
import { Select } from '../../ui/fields/Select.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'

const REACHES = [
  { value: 'none', label: 'None' },
  { value: 'hosts', label: 'Named hosts' },
  { value: 'any', label: 'Any' },
] as const

const HINTS: Readonly<Record<(typeof REACHES)[number]['value'], string>> = {
  none: 'It reaches nothing outside its fence.',
  hosts: 'It reaches them through a proxy. A program that ignores HTTPS_PROXY reaches nothing.',
  any: 'It also reaches services on this computer.',
}

interface FenceNetworkProps {
  readonly network: FencePolicy['network']
  readonly busy: boolean
  readonly onChange: (network: FencePolicy['network'], said: string) => void
}

/** The network that a fenced server reaches: none, named hosts, or any. */
export function FenceNetwork({ network, busy, onChange }: FenceNetworkProps) {
  const [text, setText] = useState('')
  const [wrong, setWrong] = useState<string>()
  const kind = typeof network === 'string' ? network : 'hosts'
  const hosts = typeof network === 'string' ? [] : network.hosts
  const isFull = hosts.length >= FENCED_HOSTS
  const allow = (host: string) => {
    if (!hosts.includes(host)) onChange({ hosts: [...hosts, host] }, `Added ${host}`)
  }
  const add = (event: FormEvent) => {
    event.preventDefault()
    const pattern = hostPattern(text)
    if ('problem' in pattern) return setWrong(pattern.problem)
    setText('')
    setWrong(undefined)
    allow(patternText(pattern))
  }
  return (
    <>
      <Select
        label="Network"
        hint={HINTS[kind]}
        options={REACHES}
        value={kind}
        disabled={busy}
        onChange={(next) => {
          if (next === 'hosts') onChange({ hosts: [] }, 'Only named hosts')
          else onChange(next, next === 'any' ? 'Network allowed' : 'No network')
        }}
      />
      {kind === 'hosts' ? (
        <>
          {hosts.length > 0 ? (
            <ul className="folder-rows framed divided" aria-label="Hosts that it reaches">
              {hosts.map((host) => (
                <li key={host} className="folder-row row">
                  <VisibleText as="code" className="breaks grow" text={host} />
                  <Button
                    size="small"
                    aria-label={`Remove ${host}`}
                    disabled={busy}
                    onClick={() => onChange({ hosts: hosts.filter((one) => one !== host) }, `Removed ${host}`)}
                  >
                    Remove
                  </Button>
                </li>
              ))}
            </ul>
          ) : null}
          <form onSubmit={add}>
            <TextField
              label="Host"
              hint="Such as api.example.com, *.example.com or localhost:3000."
              code
              problem={wrong}
              value={text}
              onChange={setText}
              beside={
                <Button type="submit" disabled={busy || isFull}>
                  Add
                </Button>
              }
            />
          </form>
        </>
      ) : null}
    </>
  )
}
