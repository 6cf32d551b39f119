import type { SamplingRequestQuestion } from '../../../src-shared/contract/sampling.ts'
import { LongText } from '../../content/text/LongText.tsx'
import { counted } from '../../ui/amounts.ts'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { Checkbox } from '../../ui/fields/Checkbox.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'

interface SamplingContextProps {
  readonly context: SamplingRequestQuestion['context']
  readonly ticked: readonly string[]
  readonly onChange: (ticked: readonly string[]) => void
}

const WISHES = {
  none: '',
  thisServer: 'The server asks for its own context in this conversation.',
  allServers: 'The server asks for the context of all servers in this conversation.',
} as const

/** Context that could be added for the model: exactly this text, and only when it is ticked (SAMP-23). */
export function SamplingContext({ context, ticked, onChange }: SamplingContextProps) {
  const { asked, offers } = context
  if (asked === 'none' && offers.length === 0) return null
  return (
    <section className="column" aria-label="Context">
      <h3 className="question-label">Context</h3>
      <p className="meta">
        {WISHES[asked]}{' '}
        {offers.length === 0 ? 'There is none.' : 'The model gets only what you tick. The server sees only the reply.'}
      </p>
      {offers.map(({ id, label, preview, tokens }) => (
        <div key={id} className="sampling-offer">
          <Checkbox
            label={<VisibleText text={label} />}
            hint={`About ${counted(tokens, 'token')}`}
            checked={ticked.includes(id)}
            onChange={(on) => onChange(on ? [...ticked, id] : ticked.filter((one) => one !== id))}
          />
          <Disclosure summary="Preview" className="small">
            <LongText content={preview} />
          </Disclosure>
        </div>
      ))}
    </section>
  )
}
