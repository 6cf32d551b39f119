import { useEffect, useId, useMemo, useRef, useState } from 'react'
import type { JsonObject, JsonValue } from '../../../src-shared/base/json.ts'
import { canonicalJson } from '../../../src-shared/base/json.ts'
import type { ConsentCall } from '../../../src-shared/contract/consent.ts'
import { checkForm, type RawValue, type RawValues } from '../../../src-shared/forms/check-form.ts'
import { type FormField, fieldsOfInputSchema } from '../../../src-shared/forms/form-fields.ts'
import { NO_ARGUMENTS, typedArguments } from '../../content/typed-arguments.ts'
import { linearPatterns } from '../../forms/pattern-engine.ts'
import { SchemaForm } from '../../forms/SchemaForm.tsx'
import { useFormCheck } from '../../forms/use-form-check.ts'
import { useWholeText } from '../../state/read-text.ts'
import { useRequest } from '../../state/use-request.ts'
import { Button } from '../../ui/Button.tsx'
import { TextArea } from '../../ui/fields/TextArea.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import type { TypedArguments } from './consent-draft.ts'

/** Bytes of arguments that can be changed here. */
const MOST = 256 * 1024

export interface EditArgumentsProps {
  readonly call: ConsentCall
  readonly typed: TypedArguments | undefined
  readonly onType: (typed: TypedArguments) => void
  readonly held: boolean
  readonly onUse: (args: JsonObject) => void
  readonly onCancel: () => void
}

/** Changes the arguments of a call before it is allowed: in a form where that gives back exactly what the model wrote, else as JSON. */
export function EditArguments(props: EditArgumentsProps) {
  const { call } = props
  const { value, problem } = useRequest('catalog.tool', { serverId: call.serverId, tool: call.tool })
  const { json, whole } = call.arguments
  const text = useWholeText({ text: json, ...(whole && { whole }) }, MOST)
  if (text === undefined || (value === undefined && problem === undefined)) return <Skeleton label="Loading the form" />
  if (text === null) return <p className="soft">Too long to be changed here.</p>
  return <Editor {...props} written={text} schema={value?.definition.inputSchema} />
}

function Editor({
  call,
  typed,
  onType,
  held,
  onUse,
  onCancel,
  written,
  schema,
}: EditArgumentsProps & { written: string; schema: unknown }) {
  const id = useId()
  const part = useRef<HTMLElement>(null)
  const form = useMemo(() => (call.rejected ? undefined : formOf(schema, written)), [schema, written, call.rejected])
  const [start] = useState(() => call.rejected?.json ?? pretty(written))
  const values = typeof typed === 'object' ? typed : (form?.values ?? NO_VALUES)
  const json = typeof typed === 'string' ? typed : start
  const [problem, setProblem] = useState<string>()
  const check = useFormCheck(form?.fields ?? NO_FIELDS, values)
  // The button that had the focus is gone. A form that opens with the question leaves the focus alone.
  const asked = call.rejected === undefined
  useEffect(() => {
    if (asked) part.current?.querySelector<HTMLElement>('input, select, textarea')?.focus()
  }, [asked])
  const use = () => {
    const args = form ? check.submit() : typedArguments(json)
    setProblem(args === undefined && !form ? NO_ARGUMENTS : undefined)
    if (args !== undefined) onUse(args)
  }
  return (
    <section ref={part} className="column-3" aria-label="Change the arguments">
      {call.rejected ? (
        <p className="tone-fail" role="alert">
          This does not fit the tool: <VisibleText text={call.rejected.why} />
        </p>
      ) : null}
      {form ? (
        <SchemaForm
          id={id}
          label={`Arguments of ${call.tool}`}
          fields={form.fields}
          values={values}
          onChange={onType}
          check={check}
        />
      ) : (
        <TextArea code label="Arguments" rows={8} value={json} problem={problem} onChange={onType} />
      )}
      <div className="toolbar line">
        <Button {...(form ? { type: 'submit' as const, form: id } : {})} disabled={held} onClick={use}>
          Use these
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <span className="meta">Nothing is sent yet: you are asked again.</span>
      </div>
    </section>
  )
}

const NO_FIELDS: readonly FormField[] = []
const NO_VALUES: RawValues = {}

/** The form of a schema filled with a call; undefined where it would send anything else than the call. */
function formOf(schema: unknown, written: string): { fields: readonly FormField[]; values: RawValues } | undefined {
  const args = typedArguments(written)
  const fields = fieldsOfInputSchema(schema)
  if (!args || fields.length === 0) return undefined
  const values = Object.fromEntries(fields.flatMap((field) => rawOf(field, args)))
  const sent = checkForm(fields, values, linearPatterns)
  return sent.ok && canonicalJson(sent.content) === canonicalJson(args) ? { fields, values } : undefined
}

function rawOf(field: FormField, args: JsonObject): [string, RawValue][] {
  if (!Object.hasOwn(args, field.name)) return []
  const value = args[field.name] as JsonValue
  if (field.kind === 'json') return [[field.name, JSON.stringify(value, null, 2)]]
  if (typeof value === 'number') return [[field.name, String(value)]]
  if (typeof value === 'string' || typeof value === 'boolean') return [[field.name, value]]
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return [[field.name, value]]
  return []
}

function pretty(json: string): string {
  const args = typedArguments(json)
  return args ? JSON.stringify(args, null, 2) : json
}
