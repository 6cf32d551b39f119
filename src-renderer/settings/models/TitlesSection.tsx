import { OptionalModel } from '../../forms/models/OptionalModel.tsx'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { useHost } from '../../state/host-store.ts'
import { useAsked } from '../../state/use-asked.ts'

/** Who writes titles: nobody, so that the first words are one, or a model. */
export function TitlesSection() {
  const titleModel = useHost((mirror) => mirror.host.settings.titleModel)
  const { problem } = useAsked('titles.problem', {}, { anew: [titleModel] }).value ?? {}
  return (
    <div className="settings-fields column">
      <OptionalModel
        label="Titles"
        hint={
          titleModel
            ? 'One request after the first answer: up to 4,000 characters of it are sent to this model, at most 500 tokens come back.'
            : 'Choose a model to have titles written.'
        }
        none="Off: the first words"
        real
        value={titleModel}
        onChange={(model) => void attempt(ask('settings.change', { settings: { titleModel: model } }))}
      />
      {problem ? <p className="meta">The last title was not written: {problem.what}</p> : null}
    </div>
  )
}
