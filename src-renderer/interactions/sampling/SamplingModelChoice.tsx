import type { SamplingRequestQuestion } from '../../../src-shared/contract/sampling.ts'
import { modelKey } from '../../state/models.ts'
import { counted, grouped } from '../../ui/amounts.ts'
import { Select } from '../../ui/fields/Select.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { WarningIcon } from '../../ui/icons.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { chosenModel, costInWords, estimate, type SamplingDraft, sameModel, tokenLimit } from './sampling-draft.ts'

export interface SamplingModelChoiceProps {
  readonly question: SamplingRequestQuestion
  readonly draft: SamplingDraft
  readonly onChange: (draft: SamplingDraft) => void
}

/** Which model answers, why that one, how long its reply may be, and what it would cost at most. */
export function SamplingModelChoice({ question, draft, onChange }: SamplingModelChoiceProps) {
  const { models, reason, maxTokens, tokenCap, budget } = question
  const chosen = chosenModel(question, draft)
  const proposed = sameModel(chosen.model, question.model)
  const limit = tokenLimit(question, draft)
  const { input, output, cost } = estimate(question, draft)
  const choose = (key: string) => {
    const model = models.find((one) => modelKey(one.model) === key)?.model
    if (model) onChange({ ...draft, model })
  }
  return (
    <section className="column" aria-label="Who answers">
      <div className="sampling-choices">
        <Select
          label="Answered by"
          hint={
            <>
              {proposed ? '' : 'Chosen by you. Proposed was another: '}
              <VisibleText text={reason} />
            </>
          }
          options={models.map(({ model, name, unsuitable }) => ({
            value: modelKey(model),
            label: unsuitable ? `${visibleText(name)} (${unsuitable})` : visibleText(name),
          }))}
          value={modelKey(chosen.model)}
          onChange={choose}
        />
        <TextField
          label="Longest reply, in tokens"
          hint={`The server asked for ${grouped(maxTokens)}; at most ${grouped(tokenCap)} can be asked for.`}
          inputMode="numeric"
          problem={typeof limit === 'string' ? limit : undefined}
          value={draft.maxTokens ?? String(tokenCap)}
          onChange={(typed) => onChange({ ...draft, maxTokens: typed })}
        />
      </div>
      {chosen.unsuitable ? (
        <p className="sampling-warning">
          <WarningIcon /> {chosen.unsuitable} Take that out, or choose another.
        </p>
      ) : null}
      <p className="meta" role="status">
        Sends about {counted(input, 'token')} and lets at most {grouped(output)} come back; {costInWords(cost)}.
        {budget
          ? ` Left in this server’s budget: ${counted(budget.requests, 'request')}, ${counted(budget.tokens, 'token')}.`
          : ''}
      </p>
    </section>
  )
}
