import { expect, it } from 'vitest'
import { actOf, judgedTool } from '../../e2e/test-hosts/consent-call.ts'
import type { JsonObject } from '../../src-shared/base/json.ts'
import { distinguishingArgument } from './distinguishing-argument.ts'

const tool = judgedTool('issue_read')
const telling = (args: JsonObject, ...others: JsonObject[]) =>
  distinguishingArgument(
    actOf(tool, args),
    others.map((other) => actOf(tool, other)),
  )

it('an argument that its neighbours lack names a call, and one that steers it comes first', () => {
  const issue = (number: number, repo = 'site') => ({ owner: 'ana', repo, issue_number: number })
  expect(telling(issue(1))).toBe('ana')
  expect(telling(issue(1), issue(2))).toBe('issue_number 1')
  expect(telling(issue(1), issue(1, 'api'), issue(2))).toBe('site · issue_number 1')
  expect(telling({ body: 'Hello', path: '/a' })).toBe('/a')
  expect(telling({ path: '/a', body: 'x' }, { path: '/a', body: 'y' })).toBe('x')
})

it('a naming argument is shown whole, and content only where nothing shorter tells calls apart', () => {
  const path = `/home/ana/${'x'.repeat(2_000)}`
  expect(telling({ path })).toBe(path)
  expect(telling({ content: 'y'.repeat(400), mode: 'w' })).toBe('w')
  expect(telling({ paths: ['/a', '/b'] })).toBe('/a, /b')
  expect(telling({ deep: { b: 1, a: [2] } })).toBe('{"a":[2],"b":1}')
  expect(telling({})).toBeUndefined()
})
