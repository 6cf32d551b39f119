import type { ServerId } from '../../src-shared/contract/ids.ts'
import { ask } from '../state/ask.ts'
import { useAction } from '../state/use-action.ts'
import { useAsked } from '../state/use-asked.ts'
import { Skeleton } from '../ui/Skeleton.tsx'
import { type Texts, TextsForm } from './TextsForm.tsx'

export interface TemplateFormProps {
  readonly serverId: ServerId
  readonly uriTemplate: string
  /** The button that makes the address. */
  readonly action: string
  readonly onExpanded: (uri: string) => void
}

/** The variables of a resource template, with the server's suggestions; makes the address of them. */
export function TemplateForm({ serverId, uriTemplate, action, onExpanded }: TemplateFormProps) {
  const { value, problem } = useAsked('template.variables', { serverId, uriTemplate })
  const making = useAction()
  const expand = (values: Texts) =>
    void making.run(async () => onExpanded((await ask('template.expand', { serverId, uriTemplate, values })).uri))
  const wrong = making.problem ?? problem
  return (
    <>
      {value ? (
        <TextsForm
          label="Variables of the template"
          serverId={serverId}
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
