import { useEffect, useRef, useState } from 'react'
import type { PromptPreview } from '../../src-shared/contract/attachments.ts'
import type { ServerId } from '../../src-shared/contract/ids.ts'
import { ask } from '../state/ask.ts'
import { useAction } from '../state/use-action.ts'
import type { Texts } from './TextsForm.tsx'

export interface PromptAsking {
  readonly busy: boolean
  readonly preview: PromptPreview | undefined
  /** Why it could not be had. */
  readonly problem: string | undefined
  /** With the same arguments once more when none are given. */
  readonly get: (args?: Texts) => void
  /** Back to the arguments. */
  readonly forget: () => void
}

/** Gets a prompt with the arguments of a form; what is under way is given up when the form goes. */
export function usePromptPreview(serverId: ServerId, prompt: string): PromptAsking {
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
