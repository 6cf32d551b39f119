// The same for the official SDK v2. Its tools, results and tool uses are those of a later revision, where structured content may be
// anything; for the revisions of the handshake they are compared with the types of v1.
import type * as Official from '@modelcontextprotocol/server'
import type * as Requests from '../../src-shared/mcp/client-requests.ts'
import type * as Content from '../../src-shared/mcp/content.ts'
import type * as Ours from '../../src-shared/mcp/primitives.ts'

/** Compiles only when every value of `Theirs` is a value of `Mine`. */
type Accepts<Mine, Theirs extends Mine> = Theirs

/** Their optional members may also be `undefined`, which JSON cannot say; ours may only be absent. */
type Sent<T> = T extends readonly (infer Member)[]
  ? readonly Sent<Member>[]
  : T extends object
    ? { [Key in keyof T]: Sent<Exclude<T[Key], undefined>> }
    : T

export type Checked = [
  Accepts<Ours.Implementation, Sent<Official.Implementation>>,
  Accepts<Ours.ServerCapabilities, Sent<Official.ServerCapabilities>>,
  Accepts<Content.Resource, Sent<Official.Resource>>,
  Accepts<Ours.ResourceTemplate, Sent<Official.ResourceTemplateType>>,
  Accepts<Ours.Prompt, Sent<Official.Prompt>>,
  Accepts<Ours.PromptMessage, Sent<Official.PromptMessage>>,
  Accepts<Ours.Root, Sent<Official.Root>>,
  Accepts<Ours.LogLevel, Sent<Official.LoggingLevel>>,
  Accepts<Ours.ReadResourceResult, Sent<Official.ReadResourceResult>>,
  Accepts<Ours.GetPromptResult, Sent<Official.GetPromptResult>>,
  Accepts<Ours.CompletionResult, Sent<Official.CompleteResult['completion']>>,
  Accepts<Content.Annotations, Sent<Official.Annotations>>,
  Accepts<Content.Icon, Sent<Official.Icon>>,
  Accepts<Content.ContentBlock, Sent<Official.ContentBlock>>,
  Accepts<Requests.CreateMessageResult, Sent<Official.CreateMessageResult>>,
  Accepts<Requests.ElicitResult['content'], Sent<Official.ElicitResult['content']>>,
  Accepts<Requests.ListRootsResult, Sent<Official.ListRootsResult>>,
]
