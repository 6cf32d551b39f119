import { attempt } from '../../state/attempt.ts'
import { importConversation } from '../../state/conversation-actions.ts'
import { importFile, isBundle } from '../../state/import-file.ts'
import { arriveImport, navigate, useView } from '../../state/view-store.ts'

/** In bytes; a larger file is no configuration. */
const MAX_CONFIG_SIZE = 1024 * 1024
const HEAD = 4096

/** The purpose of a file that was dropped, or opened with Parley. */
type FileUse = 'servers' | 'conversation' | 'attachment'

/** Judged by name and content; any other file is attached to a message. */
export async function fileUse(file: File): Promise<FileUse> {
  const name = file.name.toLowerCase()
  if (isBundle(file)) return 'servers'
  // Older exports are called .json.
  if (/\.(parley|json)$/.test(name) && /"format"\s*:\s*"parley-conversations?"/.test(await file.slice(0, HEAD).text()))
    return 'conversation'
  if (file.size > MAX_CONFIG_SIZE) return 'attachment'
  return namesServers(name, await file.text()) ? 'servers' : 'attachment'
}

function namesServers(name: string, text: string): boolean {
  if (/\.jsonc?$/.test(name)) {
    if (/"(?:mcpServers|mcp_servers|context_servers)"\s*:\s*\{/.test(text)) return true
    // Other files have members of these names, too.
    if (name === 'server.json') return /"(?:packages|remotes)"\s*:\s*\[/.test(text)
    return name === 'mcp.json' && /"servers"\s*:\s*\{/.test(text)
  }
  return name === 'config.toml' && /^\s*\[mcp_servers\./m.test(text)
}

/** Reviews servers, imports conversations, and returns the files to attach. */
export async function takeFiles(files: readonly File[]): Promise<readonly File[]> {
  const attached: File[] = []
  for (const file of files) {
    const use = await fileUse(file).catch(() => 'attachment' as const)
    if (use === 'attachment') attached.push(file)
    else if (use === 'servers') await importFile(file, arriveImport)
    else await attempt(importConversation(file, () => {}))
  }
  return attached
}

/** Without a composer on screen, the files wait for a new conversation. */
export async function takeFilesAnywhere(files: readonly File[]): Promise<void> {
  const handed = await takeFiles(files)
  if (handed.length === 0) return
  useView.setState({ handed })
  if (useView.getState().route.section !== 'conversations') navigate({ section: 'conversations', id: 'new' })
}
