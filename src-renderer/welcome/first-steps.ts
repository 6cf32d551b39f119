import { DEMO_MODEL } from '../../src-shared/contract/settings.ts'
import { createConversation, leaveWelcome, send } from '../state/conversation-actions.ts'
import { ADD_PROVIDER, ADD_SERVER } from '../state/route.ts'
import { navigate, openImport } from '../state/view-store.ts'

export const FIRST_MESSAGE = 'add 2 and 3'

/** Sends the first message as the person would; the call asks for consent as any other. */
export async function firstCall(): Promise<void> {
  const id = await createConversation(DEMO_MODEL)
  await send(id, FIRST_MESSAGE)
}

/** Opens the import, or the dialog that adds a server or a provider of models. */
export function leaveFor(section: 'servers' | 'import' | 'models'): Promise<null> {
  if (section === 'import') openImport()
  else navigate(section === 'models' ? ADD_PROVIDER : ADD_SERVER)
  return leaveWelcome()
}
