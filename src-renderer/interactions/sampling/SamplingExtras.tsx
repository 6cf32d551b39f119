import type { SamplingRequestQuestion } from '../../../src-shared/contract/sampling.ts'
import { JsonTree } from '../../content/viewers/JsonTree.tsx'
import { counted } from '../../ui/amounts.ts'
import { VisibleText } from '../../ui/VisibleText.tsx'

const TOOL_CHOICES = {
  auto: 'The model decides whether to use one.',
  required: 'The model has to use one.',
  none: 'The model may not use any.',
} as const

/** What else the request holds: tools of the server's own, and what is passed to the provider as it came. */
export function SamplingExtras({ question }: { readonly question: SamplingRequestQuestion }) {
  const { tools, toolChoice, temperature, stopSequences, metadata } = question
  const passed: readonly (readonly [string, string])[] = [
    ...(temperature === undefined ? [] : [['Temperature', String(temperature)] as const]),
    ...stopSequences.map((text) => ['Stops at', text] as const),
    ...Object.entries(metadata),
  ]
  return (
    <>
      {tools.length > 0 ? (
        <details className="sampling-extras">
          <summary>{counted(tools.length, 'tool')} of the server’s request</summary>
          <p className="meta">
            The model is told of them. What it wants to use goes back to the server as data; Parley runs none of them.{' '}
            {toolChoice ? TOOL_CHOICES[toolChoice] : ''}
          </p>
          <ul className="sampling-tools">
            {tools.map(({ name, description, schema }) => (
              <li key={name}>
                <code>
                  <VisibleText text={name} />
                </code>
                <div className="meta">
                  <VisibleText text={description} />
                </div>
                <JsonTree value={schema} />
              </li>
            ))}
          </ul>
        </details>
      ) : null}
      {passed.length > 0 ? (
        <details className="sampling-extras">
          <summary>{counted(passed.length, 'setting')} passed on as they came</summary>
          <dl className="launch framed">
            {passed.map(([name, value]) => (
              <div key={`${name} ${value}`} className="sampling-setting">
                <dt>
                  <VisibleText text={name} />
                </dt>
                <dd>
                  <VisibleText text={value} />
                </dd>
              </div>
            ))}
          </dl>
        </details>
      ) : null}
    </>
  )
}
