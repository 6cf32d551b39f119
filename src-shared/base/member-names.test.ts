import { expect, it } from 'vitest'
import { namesOf, setMember } from './member-names.ts'

it('setting a member keeps each name of an object once, in order', () => {
  const object = JSON.parse('{"b":1,"__proto__":2}')
  expect(namesOf(object)).toEqual(['b', '__proto__'])
  for (const [at, name] of ['7', 'b', '__proto__', 'constructor', '7'].entries()) setMember(object, name, at)
  expect(namesOf(object)).toEqual(['b', '__proto__', '7', 'constructor'])
  expect(JSON.stringify(object)).toBe('{"7":4,"b":1,"__proto__":2,"constructor":3}')
  expect(Object.getPrototypeOf(object)).toBe(Object.prototype)
})
