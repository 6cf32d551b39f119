import type { Id } from '../base/json.ts'

export type ServerId = Id<'server'>
export type ProviderId = Id<'provider'>
export type ConversationId = Id<'conversation'>
export type ProjectId = Id<'project'>
export type ScheduleId = Id<'schedule'>
export type NoteId = Id<'note'>
export type TurnId = Id<'turn'>
export type MessageId = Id<'message'>
export type ToolCallId = Id<'tool-call'>
export type AttachmentId = Id<'attachment'>
/** A prompt's messages that the host holds in memory until they enter a conversation or expire. */
export type PromptPreviewId = Id<'prompt-preview'>
/** Configurations of other hosts that the host holds in memory until they are added or expire. */
export type ImportReviewId = Id<'import-review'>
export type InteractionId = Id<'interaction'>
export type ConsentRuleId = Id<'consent-rule'>
