import type { Settings } from '../../../src-shared/contract/settings.ts'
import { ModelSelect } from '../../forms/models/ModelSelect.tsx'
import { OptionalModel } from '../../forms/models/OptionalModel.tsx'
import { useSavedChoice } from '../../forms/use-saved-choice.ts'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { useHost } from '../../state/host-store.ts'
import { useAsked } from '../../state/use-asked.ts'

const change = (settings: Partial<Settings>) => attempt(ask('settings.change', { settings }))

/** Which model does what, unless another is chosen where it is done. */
export function ModelTasks() {
  const { defaultModel, samplingModel } = useHost((mirror) => mirror.host.settings)
  const [chat, chooseChat] = useSavedChoice(defaultModel, (wanted) => change({ defaultModel: wanted }))
  return (
    <div className="settings-fields column-4">
      <ModelSelect label="Default model" hint="New conversations begin with it." value={chat} onChange={chooseChat} />
      <Titles />
      <OptionalModel
        label="Sampling requests"
        hint="Proposed when a server asks for your model, unless its hints or priorities fit another. You are asked each time."
        none="Same as the conversation"
        value={samplingModel}
        onChange={(model) => void change({ samplingModel: model })}
      />
    </div>
  )
}

/** The writer of titles: a model, or none, so that the first words are the title. */
function Titles() {
  const titleModel = useHost((mirror) => mirror.host.settings.titleModel)
  const { problem } = useAsked('titles.problem', {}, { refetchOn: [titleModel] }).value ?? {}
  return (
    <div>
      <OptionalModel
        label="Titles"
        hint={
          titleModel
            ? 'One request after the first answer: up to 4,000 characters of it are sent to this model, at most 500 tokens come back.'
            : 'The name of a conversation, until you rename it.'
        }
        none="Off: the first words"
        real
        value={titleModel}
        onChange={(model) => void change({ titleModel: model })}
      />
      {problem ? <p className="meta">The last title was not written: {problem.what}</p> : null}
    </div>
  )
}
