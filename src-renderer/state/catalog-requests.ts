import type { ResultOf } from '../../src-shared/contract/requests.ts'

/** The lists that a server offers, by the request that reads a page of one. */
export type CatalogRequest = 'catalog.tools' | 'catalog.resources' | 'catalog.templates' | 'catalog.prompts'

export type CatalogItem<L extends CatalogRequest> = ResultOf<L>['items'][number]
