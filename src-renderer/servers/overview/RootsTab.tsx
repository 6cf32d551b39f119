import { ROOT_LIMIT, type SharedFolder } from '../../../src-shared/contract/projects.ts'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import { FolderRows } from '../../forms/folders/FolderRows.tsx'
import { rootsHint } from '../../forms/folders/roots-hint.ts'
import { useFolderChanges } from '../../forms/folders/use-folder-changes.ts'
import { ask } from '../../state/ask.ts'
import { attempt } from '../../state/attempt.ts'
import { useHost } from '../../state/host-store.ts'
import { routeHash } from '../../state/route.ts'
import { sortedServers } from '../../state/selectors.ts'
import { useRequest } from '../../state/use-request.ts'
import { Button } from '../../ui/Button.tsx'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { Section } from '../../ui/Section.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { visibleText } from '../../ui/visible-text.ts'

const NONE: readonly SharedFolder[] = []

/** The folders that a server is told of (roots), suggestions, and the folders of all servers. */
export function RootsTab({ server }: { readonly server: ServerRecord }) {
  const { id: serverId, folders } = server
  const chosen = folders ?? NONE
  // Suggestions may be missing: every folder can be chosen without them.
  const read = useRequest('roots.read', { serverId }, { refetchOn: [folders] })
  const shared = read.value?.fromProjects ?? NONE
  const suggestions = (read.value?.suggestions ?? []).filter(({ path }) => !chosen.some((one) => one.path === path))
  const { busy, problem, change, add, remove, setEditable, picker } = useFolderChanges(
    `Choose a folder for ${visibleText(server.name)}`,
    chosen,
    (next) => ask('roots.set', { serverId, folders: next }),
  )
  return (
    <div className="sections column-5">
      <Section title="Roots">
        <p className="soft">Folders where the server should work. {rootsHint(server.options)}</p>
        {folders === undefined && shared.length > 0 ? null : folders === undefined ? (
          <p>Not decided: when a call needs folders, you are asked.</p>
        ) : folders.length === 0 ? (
          <p>None: when the server asks, it gets an empty list.</p>
        ) : (
          <FolderRows label="Folders" folders={folders} onRemove={remove} onEditable={setEditable} disabled={busy} />
        )}
        {shared.length === 0 ? null : (
          <>
            <p>{folders?.length ? 'Shared by projects, too:' : 'Shared by projects:'}</p>
            <ul className="folder-rows framed divided" aria-label="Shared by projects">
              {shared.map(({ path }) => (
                <li key={path} className="folder-row row">
                  <VisibleText as="code" text={path} />
                </li>
              ))}
            </ul>
          </>
        )}
        <FailureLine problem={problem} />
        <div className="actions">
          <Button disabled={busy || chosen.length >= ROOT_LIMIT} onClick={picker.open}>
            Add a folder …
          </Button>
          {folders === undefined ? (
            <Button disabled={busy} onClick={() => void change([], 'No folder is shared.')}>
              Don’t share
            </Button>
          ) : (
            <Button disabled={busy} onClick={() => void attempt(ask('roots.set', { serverId, folders: null }))}>
              Ask me again
            </Button>
          )}
        </div>
      </Section>
      {suggestions.length > 0 ? (
        <Section title="Suggestions">
          <ul className="folder-rows framed divided" aria-label="Suggestions">
            {suggestions.map(({ path, name, why }) => (
              <li key={path} className="folder-row row">
                <div className="breaks grow">
                  <VisibleText as="code" text={path} />
                  <VisibleText as="div" className="meta" text={why} />
                </div>
                <Button
                  size="small"
                  aria-label={`Add ${visibleText(path)}`}
                  disabled={busy}
                  onClick={() => add(name === undefined ? { path } : { path, name })}
                >
                  Add
                </Button>
              </li>
            ))}
          </ul>
        </Section>
      ) : null}
      <WhoSeesWhat />
      {picker.dialog}
    </div>
  )
}

/** Every folder that any server is told of (ROOT-11). */
function WhoSeesWhat() {
  const servers = useHost((mirror) => mirror.host.servers)
  const sharing = sortedServers(servers).filter(({ folders }) => folders !== undefined && folders.length > 0)
  return (
    <Section title="Who sees what">
      {sharing.length === 0 ? (
        <p className="soft">No folders are shared.</p>
      ) : (
        <table className="roots-table">
          <thead>
            <tr>
              <th scope="col">Server</th>
              <th scope="col">Folders</th>
            </tr>
          </thead>
          <tbody>
            {sharing.map(({ id, name, folders = NONE }) => (
              <tr key={id}>
                <th scope="row">
                  <a href={routeHash({ section: 'servers', id, tab: 'roots' })}>{visibleText(name)}</a>
                </th>
                <td>
                  {folders.map(({ path, state }) => (
                    <div key={path}>
                      <VisibleText as="code" text={path} />
                      {state === 'shared' ? null : <span className="meta"> (not shared: {state})</span>}
                    </div>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  )
}
