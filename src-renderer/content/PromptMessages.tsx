import type { PromptPreview } from '../../src-shared/contract/attachments.ts'
import { grouped } from '../ui/amounts.ts'
import { VisibleText } from '../ui/VisibleText.tsx'
import { ContentBlockView } from './ContentBlockView.tsx'
import './text/content.css'

/** The messages of a prompt in the server's words; links in them are not fetched. */
export function PromptMessages({ preview }: { readonly preview: PromptPreview }) {
  return (
    <section className="column" aria-label="Prompt messages">
      <p className="meta content-hints line">
        <span>From</span>
        <VisibleText as="span" className="content-server" text={preview.serverName} />
        <span>
          prompt <VisibleText text={preview.title || preview.prompt} />, about {grouped(preview.tokens)} tokens
        </span>
      </p>
      {preview.description ? <VisibleText as="p" className="soft" text={preview.description} /> : null}
      {preview.warnings.map((warning) => (
        <p className="content-warning small" key={warning}>
          <VisibleText text={warning} />
        </p>
      ))}
      {preview.messages.length === 0 ? <p className="soft">No messages.</p> : null}
      <ol className="column">
        {preview.messages.map((message, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: messages of a preview never move
          <li key={index} className="content-prompt-message from-server">
            <div className="meta">{message.role === 'user' ? 'As you' : 'As the model'}</div>
            <ContentBlockView content={message.content} serverId={preview.serverId} />
          </li>
        ))}
      </ol>
    </section>
  )
}
