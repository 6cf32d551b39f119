import type { ServerHello, ServerRecord } from '../../../src-shared/contract/servers.ts'
import { APPS, CLIENT_CREDENTIALS, extensionName, SKILLS, TASKS } from '../../../src-shared/mcp/extensions.ts'
import { ForeignIcon } from '../../content/ForeignIcon.tsx'
import { ServerText } from '../../content/text/ServerText.tsx'
import { useRequest } from '../../state/use-request.ts'
import { Fact } from '../../ui/Fact.tsx'
import { Section } from '../../ui/Section.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'

/** The server's own information, beside the name that the person gave it. */
export function ServerClaims({ server, hello }: { readonly server: ServerRecord; readonly hello: ServerHello }) {
  // Too large for the snapshot. A new version of the catalog may have a new icon.
  const about = useRequest('server.about', { serverId: server.id }, { refetchOn: [server.catalog.version] }).value ?? {}
  const { serverInfo, instructions } = hello
  return (
    <Section title="Server info">
      <p className="meta">The server’s own words (not verified).</p>
      <dl className="column-1">
        {serverInfo ? (
          <>
            <Fact name="Name">
              <ForeignIcon icons={about.icons} />
              <VisibleText text={serverInfo.title ?? serverInfo.name} />
              {serverInfo.title === undefined ? null : (
                <span className="meta">
                  {' '}
                  <VisibleText text={serverInfo.name} />
                </span>
              )}
            </Fact>
            <Fact name="Version">
              <VisibleText text={serverInfo.version} />
            </Fact>
          </>
        ) : null}
        {about.description ? (
          <Fact name="Description">
            <VisibleText text={about.description} />
          </Fact>
        ) : null}
        {about.websiteUrl ? (
          <Fact name="Website">
            <VisibleText as="code" text={about.websiteUrl} />
          </Fact>
        ) : null}
        <Fact name="Protocol version">{hello.revision}</Fact>
        {about.extensions && about.extensions.length > 0 ? (
          <Fact name="Extensions">
            <ul className="bullets">
              {about.extensions.map((id) => (
                <li key={id}>
                  <VisibleText as="code" text={id} /> <span className="meta">{extensionLabel(id, isUsed(id, server))}</span>
                </li>
              ))}
            </ul>
          </Fact>
        ) : null}
        <Fact name="Capabilities">
          {hello.capabilities.length === 0 ? 'None' : null}
          <span className="chips">
            {hello.capabilities.map((capability) => (
              <span className="chip" key={capability}>
                <VisibleText text={capability} />
              </span>
            ))}
          </span>
        </Fact>
      </dl>
      {instructions ? (
        <div>
          <h3 className="meta">Instructions</h3>
          <ServerText label="Instructions" text={instructions} />
        </div>
      ) : null}
    </Section>
  )
}

function isUsed(id: string, { options, signsInAs }: ServerRecord): boolean {
  if (id === APPS) return options.apps
  if (id === TASKS) return options.tasks
  return id === SKILLS || (id === CLIENT_CREDENTIALS && signsInAs !== undefined)
}

function extensionLabel(id: string, used: boolean): string {
  const name = extensionName(id)
  return name === undefined ? 'unknown, not used' : `${name}: ${used ? 'in use' : 'not used'}`
}
