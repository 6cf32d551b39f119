import type { ServerRecord } from '../../src-shared/contract/servers.ts'
import { ask } from '../state/ask.ts'
import { useAction } from '../state/use-action.ts'
import { useRequest } from '../state/use-request.ts'
import { Skeleton } from '../ui/Skeleton.tsx'
import { type Texts, TextsForm } from './TextsForm.tsx'

interface TemplateFormProps {
  readonly server: Pick<ServerRecord, 'id' | 'name'>
  readonly uriTemplate: string
  /** The label of the button. */
  readonly action: string
  readonly onExpanded: (uri: string) => void
}

/** The variables of a resource template, with the server's suggestions. The host expands them into an address. */
export function TemplateForm({ server, uriTemplate, action, onExpanded }: TemplateFormProps) {
  const serverId = server.id
  const { value, problem } = useRequest('template.variables', { serverId, uriTemplate })
  const making = useAction()
  const expand = (values: Texts) =>
    void making.run(async () => onExpanded((await ask('template.expand', { serverId, uriTemplate, values })).uri))
  const wrong = making.problem ?? problem
  return (
    <>
      {value ? (
        <TextsForm
          label="Variables of the template"
          server={server}
          of={{ type: 'template', uriTemplate }}
          fields={value.variables.map((name) => ({ name, label: name }))}
          action={action}
          onSubmit={expand}
        />
      ) : problem === undefined ? (
        <Skeleton label="Loading the template" lines={2} />
      ) : null}
      {wrong === undefined ? null : <p role="alert">{wrong}</p>}
    </>
  )
}
