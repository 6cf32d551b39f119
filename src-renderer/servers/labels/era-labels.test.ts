import { expect, it } from 'vitest'
import type { StoredCredential } from '../../../src-shared/contract/authorization.ts'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import { deprecatedInUse } from './era-labels.ts'

const credential = (client: StoredCredential['client']): StoredCredential => ({ issuer: 'a', serverUrl: 'b', client })
const record = (part: Partial<ServerRecord>) => deprecatedInUse(part as ServerRecord)

it('the page of a server names its deprecated features, even registration at run time (V26-DEPR-1)', () => {
  expect(record({ deprecated: ['roots', 'http-sse'], credentials: [credential('dynamic')] })).toEqual([
    'roots',
    'HTTP+SSE',
    'dynamic registration',
  ])
  expect(record({ credentials: [credential('metadata-document')] })).toEqual([])
  expect(record({})).toEqual([])
})
