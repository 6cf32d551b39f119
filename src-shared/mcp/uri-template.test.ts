import { describe, expect, it } from 'vitest'
import { expandUriTemplate, parseUriTemplate, templateVariables, UriTemplateError } from './uri-template.ts'

/** The values of RFC 6570 section 3.2 that are texts. */
const VALUES = {
  dub: 'me/too',
  hello: 'Hello World!',
  half: '50%',
  var: 'value',
  who: 'fred',
  base: 'http://example.com/home/',
  path: '/foo/bar',
  v: '6',
  x: '1024',
  y: '768',
  empty: '',
  undef: undefined,
}

const EXAMPLES: Record<string, Record<string, string>> = {
  'simple expansion (section 3.2.2)': {
    '{var}': 'value',
    '{hello}': 'Hello%20World%21',
    '{half}': '50%25',
    'O{empty}X': 'OX',
    'O{undef}X': 'OX',
    '{x,y}': '1024,768',
    '{x,hello,y}': '1024,Hello%20World%21,768',
    '?{x,empty}': '?1024,',
    '?{x,undef}': '?1024',
    '?{undef,y}': '?768',
    '{var:3}': 'val',
    '{var:30}': 'value',
    '{var*}': 'value',
  },
  'reserved expansion (section 3.2.3)': {
    '{+var}': 'value',
    '{+hello}': 'Hello%20World!',
    '{+half}': '50%25',
    '{base}index': 'http%3A%2F%2Fexample.com%2Fhome%2Findex',
    '{+base}index': 'http://example.com/home/index',
    'O{+empty}X': 'OX',
    'O{+undef}X': 'OX',
    '{+path}/here': '/foo/bar/here',
    'here?ref={+path}': 'here?ref=/foo/bar',
    'up{+path}{var}/here': 'up/foo/barvalue/here',
    '{+x,hello,y}': '1024,Hello%20World!,768',
    '{+path,x}/here': '/foo/bar,1024/here',
    '{+path:6}/here': '/foo/b/here',
  },
  'fragments (section 3.2.4)': {
    '{#var}': '#value',
    '{#hello}': '#Hello%20World!',
    '{#half}': '#50%25',
    'foo{#empty}': 'foo#',
    'foo{#undef}': 'foo',
    '{#x,hello,y}': '#1024,Hello%20World!,768',
    '{#path,x}/here': '#/foo/bar,1024/here',
    '{#path:6}/here': '#/foo/b/here',
  },
  'labels (section 3.2.5)': {
    '{.who}': '.fred',
    '{.who,who}': '.fred.fred',
    '{.half,who}': '.50%25.fred',
    'X{.var}': 'X.value',
    'X{.empty}': 'X.',
    'X{.undef}': 'X',
    'X{.var:3}': 'X.val',
  },
  'path segments (section 3.2.6)': {
    '{/who}': '/fred',
    '{/who,who}': '/fred/fred',
    '{/half,who}': '/50%25/fred',
    '{/who,dub}': '/fred/me%2Ftoo',
    '{/var}': '/value',
    '{/var,empty}': '/value/',
    '{/var,undef}': '/value',
    '{/var,x}/here': '/value/1024/here',
    '{/var:1,var}': '/v/value',
  },
  'path parameters (section 3.2.7)': {
    '{;who}': ';who=fred',
    '{;half}': ';half=50%25',
    '{;empty}': ';empty',
    '{;v,empty,who}': ';v=6;empty;who=fred',
    '{;v,bar,who}': ';v=6;who=fred',
    '{;x,y}': ';x=1024;y=768',
    '{;x,y,empty}': ';x=1024;y=768;empty',
    '{;hello:5}': ';hello=Hello',
  },
  'queries (sections 3.2.8 and 3.2.9)': {
    '{?who}': '?who=fred',
    '{?half}': '?half=50%25',
    '{?x,y}': '?x=1024&y=768',
    '{?x,y,empty}': '?x=1024&y=768&empty=',
    '{?x,y,undef}': '?x=1024&y=768',
    '{?var:3}': '?var=val',
    '?fixed=yes{&x}': '?fixed=yes&x=1024',
    '{&x,y,empty}': '&x=1024&y=768&empty=',
  },
}

describe('a URI template', () => {
  for (const [section, examples] of Object.entries(EXAMPLES)) {
    it(`expands the examples of RFC 6570 for ${section} (RES-06)`, () => {
      const expanded = Object.keys(examples).map((text) => [text, expandUriTemplate(parseUriTemplate(text), VALUES)])
      expect(Object.fromEntries(expanded)).toEqual(examples)
    })
  }

  it('expands the template of a file resource (RES-06)', () => {
    const template = parseUriTemplate('file:///{path}')
    expect(templateVariables(template)).toEqual(['path'])
    expect(expandUriTemplate(template, { path: 'a b.txt' })).toBe('file:///a%20b.txt')
  })

  it('names each variable once, in order', () => {
    expect(templateVariables(parseUriTemplate('{/a,b:3}{?b,c*}'))).toEqual(['a', 'b', 'c'])
  })

  it('keeps encoded triplets in literal text and encodes what is not ASCII', () => {
    expect(expandUriTemplate(parseUriTemplate('x%20é{v:1}'), { v: '😀y' })).toBe('x%20%C3%A9%F0%9F%98%80')
  })

  it('ignores members that every object inherits', () => {
    expect(expandUriTemplate(parseUriTemplate('a{constructor}{__proto__}b'), {})).toBe('ab')
  })

  it.each(['{', 'a}b', '{}', '{a b}', '{a:0}', '{a:12345}', '{=a}', '{a**}', '{{a}}'])('refuses %j', (text) => {
    expect(() => parseUriTemplate(text)).toThrow(UriTemplateError)
  })

  it('refuses more variables than anybody would fill in', () => {
    expect(() => parseUriTemplate('{a}'.repeat(201))).toThrow(UriTemplateError)
  })
})
