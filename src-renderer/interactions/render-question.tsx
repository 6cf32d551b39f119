import type { ComponentType, FunctionComponent, ReactNode } from 'react'
import type { Interaction, InteractionKind } from '../../src-shared/contract/interactions.ts'
import { onDemand } from '../ui/on-demand.tsx'
import type { QuestionProps } from './frame/use-question.tsx'

type Registry = { readonly [K in InteractionKind]: FunctionComponent<QuestionProps<K>> }

/**
 * The dialog of each kind of question. Their code comes when the page is idle or with the first of a kind: most are rare, and the form
 * brings the engine that checks patterns, which is as large as all other kinds together.
 */
const KINDS: Registry = {
  'server-trust': onDemand(() => import('./ServerTrustDialog.tsx').then((module) => module.ServerTrustDialog)),
  'servers-trust': onDemand(() => import('./ServerTrustDialog.tsx').then((module) => module.ServersTrustDialog)),
  'tool-consent': onDemand(() => import('./ToolConsentDialog.tsx').then((module) => module.ToolConsentDialog)),
  'tool-result': onDemand(() => import('./ToolResultDialog.tsx').then((module) => module.ToolResultDialog)),
  'sampling-request': onDemand(() => import('./sampling/SamplingReviewDialog.tsx').then((module) => module.SamplingReviewDialog)),
  'sampling-result': onDemand(() => import('./sampling/SamplingReplyDialog.tsx').then((module) => module.SamplingReplyDialog)),
  'elicitation-form': onDemand(() => import('./ElicitationFormDialog.tsx').then((module) => module.ElicitationFormDialog)),
  'elicitation-url': onDemand(() => import('./ElicitationUrlDialog.tsx').then((module) => module.ElicitationUrlDialog)),
  'call-again': onDemand(() => import('./CallAgainDialog.tsx').then((module) => module.CallAgainDialog)),
  'roots-request': onDemand(() => import('./RootsDialog.tsx').then((module) => module.RootsDialog)),
  authorization: onDemand(() => import('./AuthorizationDialog.tsx').then((module) => module.AuthorizationDialog)),
  'client-registration': onDemand(() =>
    import('./ClientRegistrationDialog.tsx').then((module) => module.ClientRegistrationDialog),
  ),
}

/** The dialog of a question, whatever its kind. */
export function renderQuestion(interaction: Interaction, modal: boolean): ReactNode {
  // The registry pairs every kind with a component of that kind; the compiler cannot follow a union through an index.
  const Question = KINDS[interaction.kind] as ComponentType<{ interaction: Interaction; modal: boolean }>
  return <Question key={interaction.id} interaction={interaction} modal={modal} />
}
