import type { SamplingRequestQuestion } from '../../../src-shared/contract/sampling.ts'
import { modelKey } from '../../state/models.ts'
import { counted, grouped } from '../../ui/amounts.ts'
import { Select } from '../../ui/fields/Select.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { WarningIcon } from '../../ui/icons.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { chosenModel, costInWords, estimate, type SamplingDraft, sameModel, tokenLimit } from './sampling-draft.ts'

interface SamplingModelChoiceProps {
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
    <section className="column" aria-label="Model">
      <div className="sampling-choices">
        <Select
          label="Model"
          hint={
            <>
              {proposed ? '' : 'Chosen by you instead of the suggestion: '}
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
          label="Maximum tokens"
          hint={`The server asked for ${grouped(maxTokens)}; the limit is ${grouped(tokenCap)}.`}
          inputMode="numeric"
          problem={typeof limit === 'string' ? limit : undefined}
          value={draft.maxTokens ?? String(tokenCap)}
          onChange={(typed) => onChange({ ...draft, maxTokens: typed })}
        />
      </div>
      {chosen.unsuitable ? (
        <p className="sampling-warning">
          <WarningIcon /> {chosen.unsuitable} Remove it, or choose another model.
        </p>
      ) : null}
      <p className="meta" role="status">
        About {counted(input, 'token')} in, at most {grouped(output)} out · {costInWords(cost)}
        {budget ? ` · ${counted(budget.requests, 'request')} and ${counted(budget.tokens, 'token')} left in the budget` : ''}
      </p>
    </section>
  )
}
