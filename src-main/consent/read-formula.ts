import { wordSet } from './names.ts'

/** True if a spreadsheet computes a cell with this text. A sign counts only before a call, since texts and numbers begin with one, too. */
export function isFormula(cell: string): boolean {
  const text = cell.replace(/^[\s\p{C}]+/u, '')
  const sign = withPlainSigns(text.slice(0, 1))
  if (sign === '=') return /^.\s*[^\s=>]/u.test(text)
  return /^[+@-]$/.test(sign) && A_CALL.test(withPlainSigns(text))
}
/** Full-width signs and other dashes count, too. */
const withPlainSigns = (text: string) => text.normalize('NFKC').replace(/[\p{Pd}\u2212]/gu, '-')
const A_CALL = /^(?:[@-]|\+\s*)(?:[\w.$:]+\s*[-+*/^&]\s*)*[\p{L}_][\p{L}\p{N}_.]*\s?[(|]/u

/** True if a text in columns has a cell with a formula. */
export const hasFormulaCells = (text: string) =>
  [/[,;\t\r\n]/, /[|\r\n]/].some((between) => text.split(between).some((cell) => isFormula(cell.replace(/^[\s\p{C}"']+/u, ''))))

/** One part of a formula: a text, a call, a reference to a cell, column or row, a constant, an operator. */
const PART =
  /\s+|"(?:[^"]|"")*"|(?<call>[A-Z][A-Z0-9.]*)\(|(?:(?:'[^'[\]\\/:|]+'|[\p{L}_][\p{L}\p{N}_.]*)!)?(?:\$?[A-Z]{1,3}\$?\d{1,7}|\$?[A-Z]{1,3}(?=:)|(?<=:)\$?[A-Z]{1,3})(?![\p{L}\p{N}_.([!|])|(?:TRUE|FALSE)(?![\p{L}\p{N}_.([!|])|\d+(?:\.\d+)?(?![\p{L}_.([!|])|[-+*/^&=<>%(),;:{}]/iuy

/** True for a formula that only computes from cells of its own book: each function and each part of it is known. */
export function computesOnly(formula: string): boolean {
  PART.lastIndex = 0
  while (PART.lastIndex < formula.length) {
    const part = PART.exec(formula)
    const call = part?.groups?.call
    if (!part || (call !== undefined && !FUNCTIONS.has(call.toLowerCase()))) return false
  }
  return true
}

/** Functions that compute a value from their arguments and reach nothing else. */
const FUNCTIONS =
  wordSet(`abs and average averageif averageifs ceiling choose concat concatenate count counta countblank countif countifs date datedif
  day days edate eomonth exact find floor hlookup hour if iferror ifna ifs index int isblank iserror isnumber istext large left len ln log
  lookup lower match max maxifs median mid min minifs minute mod month networkdays not now or pi pmt power product proper quotient rank
  replace right round rounddown roundup row rows search second small sqrt stdev substitute subtotal sum sumif sumifs sumproduct switch
  text textjoin time today transpose trim trunc unique upper value var vlookup weekday weeknum workday xlookup year`)
