import { useEffect, useRef, useState } from 'react'
import type { PromptPreview } from '../../src-shared/contract/attachments.ts'
import type { ServerId } from '../../src-shared/contract/ids.ts'
import { ask } from '../state/ask.ts'
import { useAction } from '../state/use-action.ts'
import type { Texts } from './TextsForm.tsx'

interface UsedPromptPreview {
  readonly busy: boolean
  readonly preview: PromptPreview | undefined
  readonly problem: string | undefined
  /** Requests the prompt; without arguments, with those of the last time. */
  readonly get: (args?: Texts) => void
  /** Drops the preview, so that the form shows again. */
  readonly forget: () => void
}

/** Gets a prompt with the arguments of a form; closing the form cancels the request. */
export function usePromptPreview(serverId: ServerId, prompt: string): UsedPromptPreview {
  const { busy, problem, run } = useAction()
  const [preview, setPreview] = useState<PromptPreview>()
  const latest = useRef<Texts>({})
  const asking = useRef<AbortController>(undefined)
  useEffect(() => () => asking.current?.abort(), [])
  const get = (args = latest.current) => {
    const giveUp = new AbortController()
    asking.current = giveUp
    latest.current = args
    void run(async () => setPreview(await ask('prompt.get', { serverId, prompt, arguments: args }, giveUp.signal)))
  }
  return { busy, preview, problem, get, forget: () => setPreview(undefined) }
}
