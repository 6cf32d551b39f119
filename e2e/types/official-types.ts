// Checked by the compiler alone: whatever the official packages' types accept, ours accept. A line that fails names the type that drifted.
import type * as Official from '../../node_modules/@modelcontextprotocol/sdk/dist/esm/spec.types.d.ts'
import type * as Requests from '../../src-shared/mcp/client-requests.ts'
import type * as Content from '../../src-shared/mcp/content.ts'
import type * as Ours from '../../src-shared/mcp/primitives.ts'

/** Compiles only when every value of `Theirs` is a value of `Mine`. */
type Accepts<Mine, Theirs extends Mine> = Theirs
/** The draft profile and revisions before 2025-11-25 had single content blocks; both are accepted. */
type OneBlock<T> = T & { content: Official.SamplingMessageContentBlock }

export type Checked = [
  Accepts<Ours.Implementation, Official.Implementation>,
  Accepts<Ours.ServerCapabilities, Official.ServerCapabilities>,
  Accepts<Ours.ClientCapabilities, Official.ClientCapabilities>,
  Accepts<Ours.Tool, Official.Tool>,
  Accepts<Ours.ToolAnnotations, Official.ToolAnnotations>,
  Accepts<Content.Resource, Official.Resource>,
  Accepts<Ours.ResourceTemplate, Official.ResourceTemplate>,
  Accepts<Ours.Prompt, Official.Prompt>,
  Accepts<Ours.PromptArgument, Official.PromptArgument>,
  Accepts<Ours.PromptMessage, Official.PromptMessage>,
  Accepts<Ours.Root, Official.Root>,
  Accepts<Ours.LogLevel, Official.LoggingLevel>,
  Accepts<Content.CallToolResult, Official.CallToolResult>,
  Accepts<Ours.ReadResourceResult, Official.ReadResourceResult>,
  Accepts<Ours.GetPromptResult, Official.GetPromptResult>,
  Accepts<Ours.CompletionResult, Official.CompleteResult['completion']>,
  Accepts<Ours.Progress, Official.ProgressNotification['params']>,
  Accepts<Ours.LogMessage, Official.LoggingMessageNotification['params']>,
  Accepts<Content.Annotations, Official.Annotations>,
  Accepts<Content.Icon, Official.Icon>,
  Accepts<Content.ContentBlock, Official.ContentBlock>,
  Accepts<Content.ResourceContents, Official.TextResourceContents | Official.BlobResourceContents>,
  Accepts<Content.SamplingContent, Official.SamplingMessageContentBlock>,
  Accepts<Requests.ModelPreferences, Official.ModelPreferences>,
  Accepts<Requests.SamplingMessage, Official.SamplingMessage>,
  Accepts<Requests.SamplingMessage, OneBlock<Official.SamplingMessage>>,
  Accepts<Requests.CreateMessageResult, Official.CreateMessageResult>,
  Accepts<Requests.CreateMessageResult, OneBlock<Official.CreateMessageResult>>,
  Accepts<Requests.ElicitUrlParams, Official.ElicitRequestURLParams>,
  Accepts<Requests.ElicitResult['content'], Official.ElicitResult['content']>,
  Accepts<Requests.ListRootsResult, Official.ListRootsResult>,
]
