import { useEffect, useId, useState } from 'react'
import type { Completions } from '../../src-shared/contract/attachments.ts'
import { Button } from '../ui/Button.tsx'
import { Skeleton } from '../ui/states.tsx'
import { filledTexts, type Texts, TextsForm } from './TextsForm.tsx'

/** What a template's form asks of the host. Keep its identity. */
export interface TemplatePowers {
  variables(signal: AbortSignal): Promise<{ readonly variables: readonly string[] }>
  expand(values: Texts): Promise<{ readonly uri: string }>
  complete(variable: string, value: string, context: Texts, signal: AbortSignal): Promise<Completions>
  /** What went wrong, as a person should read it. */
  failed(error: unknown): string
}

export interface TemplateFormProps {
  /** Names the form. */
  readonly label: string
  readonly powers: TemplatePowers
  /** The name of whose it is. */
  readonly server: string
  /** The button that makes the address. */
  readonly action: string
  readonly onExpanded: (uri: string) => void
}

const NONE: ReadonlySet<string> = new Set()

/** The variables of a resource template, with the server's suggestions; makes the address of them. */
export function TemplateForm({ label, powers, server, action, onExpanded }: TemplateFormProps) {
  const id = useId()
  const [variables, setVariables] = useState<readonly string[]>()
  const [values, setValues] = useState<Texts>({})
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    const giveUp = new AbortController()
    powers.variables(giveUp.signal).then(
      (found) => setVariables(found.variables),
      (error: unknown) => giveUp.signal.aborted || setProblem(powers.failed(error)),
    )
    return () => giveUp.abort()
  }, [powers])
  const fields = (variables ?? []).map((name) => ({ name, label: name }))
  const expand = async () => {
    try {
      const { uri } = await powers.expand(filledTexts(fields, values))
      setProblem(undefined)
      onExpanded(uri)
    } catch (error) {
      setProblem(powers.failed(error))
    }
  }
  return (
    <div className="form-template">
      {variables ? (
        <TextsForm
          id={id}
          label={label}
          fields={fields}
          values={values}
          onChange={setValues}
          missing={NONE}
          complete={powers.complete}
          server={server}
          onSubmit={() => void expand()}
        />
      ) : problem === undefined ? (
        <Skeleton label="Loading the template" lines={2} />
      ) : null}
      {problem === undefined ? null : <p role="alert">{problem}</p>}
      {variables ? (
        <div>
          <Button variant="primary" type="submit" form={id}>
            {action}
          </Button>
        </div>
      ) : null}
    </div>
  )
}
