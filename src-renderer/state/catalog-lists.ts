import type { ResultOf } from '../../src-shared/contract/requests.ts'

/** The lists that a server offers, by the request that reads a page of one. */
export type CatalogList = 'catalog.tools' | 'catalog.resources' | 'catalog.templates' | 'catalog.prompts'

export type CatalogItem<L extends CatalogList> = ResultOf<L>['items'][number]
