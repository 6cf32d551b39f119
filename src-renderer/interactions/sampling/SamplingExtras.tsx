import type { BoundedJson } from '../../../src-shared/contract/blobs.ts'
import type { SamplingRequestQuestion } from '../../../src-shared/contract/sampling.ts'
import { LongText } from '../../content/text/LongText.tsx'
import { JsonTree } from '../../content/viewers/JsonTree.tsx'
import { parseShownJson } from '../../content/viewers/shown-json.ts'
import { counted } from '../../ui/amounts.ts'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { SampledToolName } from './SampledToolName.tsx'

const TOOL_CHOICES = {
  auto: 'Tool choice: auto.',
  required: 'Tool choice: required.',
  none: 'Tool choice: none.',
} as const

/** The rest of the request: tools of the server's own, and metadata that is passed to the provider as it came. */
export function SamplingExtras({ question }: { readonly question: SamplingRequestQuestion }) {
  const { tools, toolChoice, temperature, stopSequences, metadata } = question
  const passed: readonly (readonly [string, string])[] = [
    ...(temperature === undefined ? [] : [['Temperature', String(temperature)] as const]),
    ...quoted(stopSequences).map((text) => ['Stop sequence', text] as const),
    ...Object.entries(metadata),
  ]
  const { whole } = stopSequences
  return (
    <>
      {tools.length > 0 ? (
        <Disclosure summary={counted(tools.length, 'tool')} className="small">
          <p className="meta">
            The model sees these. Its calls go back to the server as data; Parley runs none.{' '}
            {toolChoice ? TOOL_CHOICES[toolChoice] : ''}
          </p>
          <ul className="column">
            {tools.map((tool, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a server may name two alike
              <li key={at}>
                <SampledToolName name={tool} />
                <LongText content={tool.description} />
                <JsonTree value={tool.schema} />
              </li>
            ))}
          </ul>
        </Disclosure>
      ) : null}
      {whole ? (
        <Disclosure summary="Stop sequences" className="small">
          <LongText content={{ text: stopSequences.json, whole }} />
        </Disclosure>
      ) : null}
      {passed.length > 0 ? (
        <Disclosure summary={`${counted(passed.length, 'parameter')}, passed on unchanged`} className="small">
          <dl className="launch framed">
            {passed.map(([name, value], at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a server may name two alike
              <div key={at} className="sampling-setting">
                <VisibleText as="dt" text={name} />
                <VisibleText as="dd" text={value} />
              </div>
            ))}
          </dl>
        </Disclosure>
      ) : null}
    </>
  )
}

/** As JSON writes them: one may be nothing but a line break. None where they did not travel whole. */
function quoted(texts: BoundedJson): readonly string[] {
  const parsed = texts.whole ? [] : parseShownJson(texts.json)
  return Array.isArray(parsed) ? parsed.map((text) => JSON.stringify(text)) : []
}
