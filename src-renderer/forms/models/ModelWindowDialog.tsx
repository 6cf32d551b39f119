import { useState } from 'react'
import { fits } from '../../../src-shared/base/range.ts'
import type { ProviderId } from '../../../src-shared/contract/ids.ts'
import { type ModelEntry, WINDOW_RANGE } from '../../../src-shared/contract/settings.ts'
import { ask } from '../../state/ask.ts'
import { grouped } from '../../ui/amounts.ts'
import { TextField } from '../../ui/fields/TextField.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { FormDialog } from '../FormDialog.tsx'

interface ModelWindowDialogProps {
  readonly provider: ProviderId
  readonly model: ModelEntry
  readonly onClose: () => void
}

/** The dialog "Context window", in which the person sets a model's size in tokens. */
export function ModelWindowDialog({ provider, model, onClose }: ModelWindowDialogProps) {
  const [typed, setTyped] = useState(model.contextWindow === undefined ? '' : String(model.contextWindow))
  const [problem, setProblem] = useState<string>()
  const set = (tokens: number | null) => ask('provider.setWindow', { id: provider, model: model.id, tokens })
  const submit = () => {
    const tokens = tokensIn(typed)
    if (tokens !== undefined) return set(tokens)
    setProblem(`Enter a number of tokens from ${grouped(WINDOW_RANGE.least)} to ${grouped(WINDOW_RANGE.most)}, such as 32,768.`)
    return undefined
  }
  return (
    <FormDialog
      title="Context window"
      size="small"
      verb="Save"
      onSubmit={submit}
      other={model.ownWindow ? { label: 'Use the provider’s', onSubmit: () => set(null) } : undefined}
      onClose={onClose}
    >
      <TextField
        label={`Context window of ${visibleText(model.name).slice(0, 80)}, in tokens`}
        hint="For a local server, the value it was started with."
        inputMode="numeric"
        problem={problem}
        value={typed}
        onChange={(text) => {
          setTyped(text)
          setProblem(undefined)
        }}
      />
    </FormDialog>
  )
}

/** Reads "32,768" or "32k"; undefined outside the range. */
export function tokensIn(typed: string): number | undefined {
  const [, thousands, plain] = /^(?:(\d+)\s*k|(\d[\d\s.,_’']*))$/i.exec(typed.trim()) ?? []
  const tokens = thousands === undefined ? Number((plain ?? '').replace(/\D/g, '')) : Number(thousands) * 1000
  return fits(tokens, WINDOW_RANGE) ? tokens : undefined
}
