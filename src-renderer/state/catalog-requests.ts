import type { ResultOf } from '../../src-shared/contract/requests.ts'

/** The requests that read a page of what a server offers. */
export type CatalogRequest = 'catalog.tools' | 'catalog.resources' | 'catalog.templates' | 'catalog.prompts'

export type CatalogItem<L extends CatalogRequest> = ResultOf<L>['items'][number]
