import { assertNever } from '../src-shared/base/json.ts'
import type { OpenedFile, WindowOrder } from '../src-shared/contract/channel.ts'
import { takeFilesAnywhere } from './conversation/attachments/take-files.ts'
import { SHORTCUT_ACTIONS } from './shortcuts.ts'
import { useHost } from './state/host-store.ts'
import { arriveImport, navigate, openQuestion, showFailure } from './state/view-store.ts'

let after = Promise.resolve()

/** Shows what a menu, the tray, a link or a file asks for: one after the other, none behind a dialog that is open. */
export function handleWindowOrder(order: WindowOrder): void {
  after = after.then(() => handleNow(order)).catch(() => showFailure('What you opened could not be shown.'))
}

async function handleNow(order: WindowOrder): Promise<void> {
  switch (order.is) {
    case 'go':
      if (isModal() && order.section !== 'inbox') return
      navigate({ section: order.section, ...(order.id !== undefined && { id: order.id }) })
      return
    case 'question': {
      const asked = useHost.getState().host.interactions.find(({ id }) => id === order.id)
      if (!asked) return
      const { conversationId } = asked.about
      navigate(conversationId === undefined ? { section: 'inbox' } : { section: 'conversations', id: conversationId })
      openQuestion(asked.id)
      return
    }
    case 'shortcut':
      if (!isModal() || order.id === 'inbox') SHORTCUT_ACTIONS[order.id]()
      return
    case 'review':
      await noDialog()
      arriveImport({ text: order.text, name: 'a link' })
      return
    case 'files':
      await noDialog()
      return takeFilesAnywhere(await Promise.all(order.files.map(fileOf)))
    default:
      return assertNever(order)
  }
}

const isModal = () => document.querySelector('dialog:modal') !== null

/** Resolves once no dialog is open: what a person types there is not to be lost. */
function noDialog(): Promise<void> {
  if (!isModal()) return Promise.resolve()
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (isModal()) return
      observer.disconnect()
      resolve()
    })
    observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['open'] })
  })
}

/** Without a type: what it is shows its content. */
async function fileOf({ name, url }: OpenedFile): Promise<File> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${name} is gone`)
  return new File([await response.blob()], name)
}
