import type { ServerId } from '../../../src-shared/contract/ids.ts'
import { useHost } from '../../state/host-store.ts'
import { sortedServers } from '../../state/selectors.ts'
import { useRequest } from '../../state/use-request.ts'
import { Select } from '../../ui/fields/Select.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { visibleText } from '../../ui/visible-text.ts'

/** The value of "any"; no server or tool has this name. */
const ANY = ''

interface ServerToolFieldsProps {
  readonly serverId: ServerId | ''
  readonly tool: string
  readonly onChange: (chosen: { readonly serverId: ServerId | ''; readonly tool: string }) => void
  /** Also offers any server and any tool. */
  readonly any?: boolean
  readonly problem?: string | undefined
}

/** Selects for a server and one of its tools. */
export function ServerToolFields(props: ServerToolFieldsProps) {
  const { serverId, tool, onChange, any = false } = props
  const servers = useHost((mirror) => mirror.host.servers)
  return (
    <>
      <Select<ServerId | ''>
        label="Server"
        options={[
          ...(any ? [{ value: ANY, label: 'Any server' } as const] : []),
          ...sortedServers(servers).map(({ id, name }) => ({ value: id, label: visibleText(name) })),
        ]}
        {...(any ? {} : { placeholder: 'Choose a server' })}
        value={serverId}
        onChange={(serverId) => onChange({ serverId, tool: '' })}
      />
      {serverId === '' && any ? (
        <TextField
          code
          label="Tool"
          hint="Exact name. Empty: any tool."
          value={tool}
          onChange={(tool) => onChange({ serverId, tool })}
        />
      ) : (
        <ToolOfServer key={serverId} {...props} />
      )}
    </>
  )
}

function ToolOfServer({ serverId, tool, onChange, any = false, problem }: ServerToolFieldsProps) {
  const { value } = useRequest('consent.tools', serverId === '' ? undefined : { serverId })
  const tools = value?.tools ?? []
  return (
    <Select
      label="Tool"
      options={[
        ...(any ? [{ value: ANY, label: 'Any tool' }] : []),
        ...tools.map(({ tool }) => ({ value: tool, label: visibleText(tool) })),
      ]}
      {...(any ? {} : { placeholder: tools.length === 0 && serverId !== '' ? 'No tools now' : 'Choose a tool' })}
      problem={problem}
      disabled={serverId === ''}
      value={tool}
      onChange={(tool) => onChange({ serverId, tool })}
    />
  )
}
