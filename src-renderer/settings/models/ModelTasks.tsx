import { ModelSelect } from '../../forms/models/ModelSelect.tsx'
import { OptionalModel } from '../../forms/models/OptionalModel.tsx'
import { useSetting } from '../../forms/use-saved-choice.ts'
import { useRequest } from '../../state/use-request.ts'

export function ModelTasks() {
  const [chat, chooseChat] = useSetting('defaultModel')
  const [sampling, chooseSampling] = useSetting('samplingModel')
  return (
    <div className="settings-fields column-4">
      <ModelSelect label="Default model" hint="Used for new conversations." value={chat} onChange={chooseChat} />
      <Titles />
      <OptionalModel
        label="Sampling requests"
        hint="Used when a server requests a model, unless it prefers another. You are asked each time."
        none="Same as the conversation"
        value={sampling}
        onChange={chooseSampling}
      />
    </div>
  )
}

/** The model that writes titles; without one, the first words are the title. */
function Titles() {
  const [titleModel = null, choose] = useSetting('titleModel')
  const { problem } = useRequest('titles.problem', {}, { refetchOn: [titleModel] }).value ?? {}
  return (
    <div>
      <OptionalModel
        label="Titles"
        hint={
          titleModel
            ? 'Sends up to 4,000 characters of the first answer to this model, once.'
            : 'Names a conversation until you rename it.'
        }
        none="Off (use first words)"
        real
        value={titleModel}
        onChange={choose}
      />
      {problem ? <p className="meta">The last title was not written: {problem.what}</p> : null}
    </div>
  )
}
