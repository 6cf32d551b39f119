import { FENCED_FOLDERS, type FencePolicy, type ServerRecord } from '../../../src-shared/contract/servers.ts'
import { useFolderPicker } from '../../forms/folders/use-folder-picker.tsx'
import { ask } from '../../state/ask.ts'
import { keptOutToo } from '../../state/kept-out.ts'
import { useAction } from '../../state/use-action.ts'
import { useRequest } from '../../state/use-request.ts'
import { announce } from '../../state/view-store.ts'
import { Button } from '../../ui/Button.tsx'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { Checkbox, Switch } from '../../ui/fields/Checkbox.tsx'
import { ProblemCard } from '../../ui/ProblemCard.tsx'
import { Section } from '../../ui/Section.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { FenceBlocked } from './FenceBlocked.tsx'
import { FenceNetwork } from './FenceNetwork.tsx'
import { FenceWatch } from './FenceWatch.tsx'
import '../../forms/forms.css'

const NONE: FencePolicy['folders'] = []

/** The fence of a local server: on or off, the network, and the folders that it reaches. */
export function FenceSection({ server, opened }: { readonly server: ServerRecord; readonly opened: boolean }) {
  const { id: serverId, options } = server
  const { fence } = options
  const { value: about } = useRequest('fence.read', { serverId }, { refetchOn: [server.folders, server.blocked, fence] })
  const { run, busy, problem } = useAction()
  const change = async (next: FencePolicy | null, said: string) => {
    if (await run(() => ask('server.setOptions', { serverId, options: { fence: next } }))) announce(said)
  }
  const folders = fence?.folders ?? NONE
  const suggestions = about?.suggestions ?? NONE
  const withFolders = (next: FencePolicy['folders'], said: string) => {
    if (fence) void change({ ...fence, folders: next }, said)
  }
  const add = (folder: FencePolicy['folders'][number]) => {
    if (!folders.some(({ path }) => path === folder.path)) withFolders([...folders, folder], `Added ${visibleText(folder.path)}`)
  }
  const picker = useFolderPicker(`Choose a folder for ${visibleText(server.name)}`, (path) => add({ path, write: false }))
  const missing = suggestions.filter(({ path }) => !folders.some((one) => one.path === path))
  const unavailable = about?.problem
  return (
    <Section title="Fence">
      {unavailable ? <ProblemCard level={fence ? 'error' : 'info'} problem={unavailable} /> : null}
      <Switch
        label="Fenced"
        hint={
          fence
            ? 'It sees the folders below, its own code and a home folder of its own. A change restarts it.'
            : visibleText(
                `It runs with your full user permissions: it can read your files and use the network. ${about?.open ?? 'Fence it to choose what it reaches.'}`,
              )
        }
        checked={fence !== null}
        disabled={busy || (!fence && (!about || unavailable !== undefined))}
        onChange={(on) => void change(on && about ? about.proposal : null, on ? 'Fenced' : 'No fence')}
      />
      {fence ? (
        <>
          <FenceNetwork
            network={fence.network}
            busy={busy}
            onChange={(network, said) => void change({ ...fence, network }, said)}
          />
          <FenceBlocked
            fence={fence}
            blocked={about?.blocked ?? []}
            keptOut={options.keptOut}
            opened={opened}
            busy={busy}
            onAllow={(next, said) => void change(next, said)}
            onKeepOut={(name) => void run(() => ask('server.setOptions', { serverId, options: keptOutToo(server, [name]) }))}
          />
          {folders.length === 0 ? (
            <p className="soft">It reaches none of your folders.</p>
          ) : (
            <ul className="folder-rows framed divided" aria-label="Folders that it reaches">
              {folders.map(({ path, write }) => (
                <li key={path} className="folder-row row">
                  <div className="breaks grow">
                    <VisibleText as="code" text={path} />
                    <Checkbox
                      label={
                        <>
                          May change files <span className="unseen">in {visibleText(path)}</span>
                        </>
                      }
                      checked={write}
                      disabled={busy}
                      onChange={(on) =>
                        withFolders(
                          folders.map((one) => (one.path === path ? { path, write: on } : one)),
                          `${on ? 'May change files in' : 'Only reads'} ${visibleText(path)}`,
                        )
                      }
                    />
                  </div>
                  <Button
                    size="small"
                    aria-label={`Remove ${visibleText(path)}`}
                    disabled={busy}
                    onClick={() =>
                      withFolders(
                        folders.filter((one) => one.path !== path),
                        `Removed ${visibleText(path)}`,
                      )
                    }
                  >
                    Remove
                  </Button>
                </li>
              ))}
            </ul>
          )}
          <div className="actions">
            <Button disabled={busy || folders.length >= FENCED_FOLDERS} onClick={picker.open}>
              Add a folder …
            </Button>
            {missing.map((folder) => (
              <Button key={folder.path} disabled={busy} onClick={() => add(folder)}>
                Add {visibleText(folder.path)}
              </Button>
            ))}
          </div>
        </>
      ) : null}
      <FenceWatch server={server} />
      <FailureLine problem={problem} />
      {picker.dialog}
    </Section>
  )
}
