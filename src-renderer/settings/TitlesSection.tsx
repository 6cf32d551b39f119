import { ask } from '../state/ask.ts'
import { attempt } from '../state/attempt.ts'
import { useHost } from '../state/host-store.ts'
import { modelChoices, modelKey } from '../state/models.ts'
import { useAsked } from '../state/use-asked.ts'
import { Select } from '../ui/fields/Select.tsx'

/** Who writes titles: nobody, so that the first words are one, or a model. */
export function TitlesSection() {
  const providers = useHost((mirror) => mirror.host.providers)
  const titleModel = useHost((mirror) => mirror.host.settings.titleModel)
  const { problem } = useAsked('titles.problem', {}, { anew: [titleModel] }).value ?? {}
  // The Demo model is no model: it would say the first words.
  const groups = modelChoices(
    providers.filter(({ kind }) => kind !== 'demo'),
    titleModel ?? undefined,
  )
  const choose = (key: string) => {
    const option = groups.flatMap((group) => group.options).find((one) => one.value === key)
    void attempt(ask('settings.change', { settings: { titleModel: option?.model ?? null } }))
  }
  return (
    <div className="settings-fields column">
      <Select
        label="Titles"
        hideLabel
        hint={
          titleModel
            ? 'One request after the first answer: up to 4,000 characters of it are sent to this model, at most 500 tokens come back.'
            : 'Choose a model to have titles written.'
        }
        options={[{ value: '', label: 'Off: the first words' }]}
        groups={groups}
        value={titleModel ? modelKey(titleModel) : ''}
        onChange={choose}
      />
      {problem ? <p className="meta">The last title was not written: {problem.what}</p> : null}
    </div>
  )
}
