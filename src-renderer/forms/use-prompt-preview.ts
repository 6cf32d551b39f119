import { useEffect, useRef, useState } from 'react'
import type { Completions, PromptPreview } from '../../src-shared/contract/attachments.ts'
import type { Texts } from './TextsForm.tsx'

/** What a prompt's form asks of the host. */
export interface PromptPowers {
  get(args: Texts, signal: AbortSignal): Promise<PromptPreview>
  complete(argument: string, value: string, context: Texts, signal: AbortSignal): Promise<Completions>
  /** What went wrong, as a person should read it. */
  failed(error: unknown): string
}

export interface PromptAsking {
  readonly busy: boolean
  readonly preview: PromptPreview | undefined
  /** Why it could not be had, and with which arguments. */
  readonly failed: { readonly why: string; readonly args: Texts } | undefined
  readonly get: (args: Texts) => Promise<void>
  /** Back to the arguments. */
  readonly forget: () => void
}

/** Gets a prompt with the arguments of a form; what is under way is given up when the form goes. */
export function usePromptPreview(powers: PromptPowers): PromptAsking {
  const [busy, setBusy] = useState(false)
  const [preview, setPreview] = useState<PromptPreview>()
  const [failed, setFailed] = useState<PromptAsking['failed']>()
  const asking = useRef<AbortController>(undefined)
  useEffect(() => () => asking.current?.abort(), [])
  const get = async (args: Texts) => {
    const controller = new AbortController()
    asking.current = controller
    setBusy(true)
    setFailed(undefined)
    try {
      setPreview(await powers.get(args, controller.signal))
    } catch (error) {
      if (!controller.signal.aborted) setFailed({ why: powers.failed(error), args })
    }
    setBusy(false)
  }
  return { busy, preview, failed, get, forget: () => setPreview(undefined) }
}
