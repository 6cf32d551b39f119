import { loadModule, parseSync } from 'libpg-query'
import { isObject } from '../../src-shared/base/json.ts'
import { memoized } from './memoized.ts'
import { wordSet } from './names.ts'

interface SqlReading {
  readonly verb: 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE'
  readonly tables: readonly string[]
}

/** Resolves when the parser is loaded; until then, and if it rejects, no SQL can be read. */
export const sqlIsReadable: Promise<void> = loadModule()
sqlIsReadable.catch(() => {}) // The host reports it when it awaits this.

const LONGEST = 8_192
const BEGINNING =
  /^\s*(?:select\b[\s\S]*\bfrom\b|SELECT\b|insert\s+into\b|update\s+\S+\s+set\b|delete\s+from\b|with\s+\S+\s+as\b|(?:create|drop|alter|truncate)\s+(?:or\s+replace\s+)?(?:temp\w*\s+)?(?:table|view|index|schema|database|role|user|function|trigger|policy|extension|materialized|unique|procedure)\b|truncate\s|grant\s+\S+.*\bto\b|revoke\s+\S+.*\bfrom\b|copy\s+\S+\s+(?:to|from)\b|pragma\s|attach\s+database\b|(?:begin|commit|rollback)\b\s*;|show\s+(?:tables|databases|columns|create)\b|explain\s+(?:analyze\s+)?(?:select|insert|update|delete)\b)/i

/**
 * Syntax that databases read differently: comments (MySQL runs some of them), dollar quotes, backslashes, backticks. A string for one may
 * be code for another, so such a text is never read.
 */
const AMBIGUOUS = /--|\/\*|#|\$[A-Za-z_]*\$|\\|`/

export const looksLikeSql = (text: string): boolean => BEGINNING.test(text)

/** Reads a single plain statement with PostgreSQL's own parser; undefined for everything else. */
export function readSql(text: string): SqlReading | undefined {
  if (text.length > LONGEST || AMBIGUOUS.test(text)) return undefined
  return parsed(text)
}

const parsed = memoized(500, (text): SqlReading | undefined => {
  let statements: unknown
  try {
    statements = parseSync(text)?.stmts
  } catch {
    return undefined
  }
  if (!Array.isArray(statements) || statements.length !== 1) return undefined
  const statement: unknown = statements[0]?.stmt
  if (!isObject(statement)) return undefined
  const kind = Object.keys(statement)[0] ?? ''
  const verb = VERBS[kind]
  const found = verb && readingOf(statement)
  if (!verb || !found?.aliases.every((alias) => isSafe(alias, text, found.aliases))) return undefined
  const tables = [...found.tables].filter((table) => verb !== 'SELECT' || !CATALOG.test(table)).sort()
  // A statement without tables runs without a question, so it must also be quick.
  if (tables.length === 0 && (found.recursive || ![...found.functions].every((name) => QUICK.has(name)))) return undefined
  return { verb, tables }
})

/**
 * True for an alias that no database takes for the next statement, which in SQL Server needs no semicolon: each use has AS, or it is
 * shorter than any statement.
 */
function isSafe(alias: string, text: string, all: readonly string[]): boolean {
  if (/^[a-z]{1,3}\d{0,3}$/.test(alias)) return alias !== 'go'
  if (!/^[\p{L}_][\p{L}\d_]*$/u.test(alias)) return false
  const named = text.replace(/'(?:[^']|'')*'/g, "''").match(new RegExp(`\\bas\\s+"?${alias}(?![\\p{L}\\d_$])`, 'giu'))
  return (named?.length ?? 0) === all.filter((one) => one === alias).length
}

/** Tables of the database's catalog. */
const CATALOG =
  /^(?:information_schema\.(?:tables|columns|schemata|key_column_usage|table_constraints)|pg_catalog\.pg_(?:tables|indexes|class|attribute|namespace)|pg_(?:tables|indexes)|sqlite_(?:master|schema))$/

const VERBS: Readonly<Record<string, SqlReading['verb'] | undefined>> = {
  SelectStmt: 'SELECT',
  InsertStmt: 'INSERT',
  UpdateStmt: 'UPDATE',
  DeleteStmt: 'DELETE',
}

/** Functions that only compute or read the catalog. Any other may write, read files, sleep or open connections. */
const PURE =
  wordSet(`count sum avg min max coalesce nullif greatest least lower upper length char_length trim ltrim rtrim btrim substring substr
  replace concat concat_ws round ceil ceiling floor abs mod power sqrt sign now current_date current_timestamp date date_trunc
  date_part extract to_char to_date to_timestamp strftime datetime julianday age timezone cast string_agg array_agg group_concat
  json_agg jsonb_agg json_object_agg json_build_object jsonb_build_object json_extract jsonb_extract_path_text row_number rank
  dense_rank lag lead first_value last_value ntile percentile_cont percentile_disc stddev variance median bool_or bool_and every
  left right position strpos split_part regexp_replace regexp_matches ifnull iif instr printf format year month day hour minute
  obj_description col_description pg_size_pretty pg_total_relation_size pg_relation_size pg_table_size pg_indexes_size
  pg_database_size format_type to_regclass pg_typeof current_database current_schema version
  overlay unnest array_length cardinality initcap lpad rpad repeat reverse date_format datediff typeof total random`)
/** The subset that cannot produce large results. */
const QUICK =
  wordSet(`count sum avg min max coalesce nullif greatest least lower upper length char_length trim ltrim rtrim btrim substring substr
  concat concat_ws round ceil ceiling floor abs mod sign now current_date current_timestamp date date_trunc date_part extract timezone
  string_agg array_agg group_concat json_agg jsonb_agg json_object_agg json_build_object jsonb_build_object row_number rank left right
  position strpos split_part obj_description col_description pg_size_pretty pg_total_relation_size pg_relation_size pg_table_size
  pg_indexes_size pg_database_size format_type to_regclass pg_typeof current_database current_schema version array_length cardinality
  initcap typeof`)
const MUTATING = new Set([
  'InsertStmt',
  'UpdateStmt',
  'DeleteStmt',
  'MergeStmt',
  'IntoClause',
  'intoClause',
  'LockingClause',
  'CopyStmt',
])

interface Waiting {
  readonly node: unknown
  /** Names of common table expressions in scope, which are no tables. */
  readonly named: ReadonlySet<string>
}

interface Found {
  readonly tables: Set<string>
  readonly functions: Set<string>
  /** Aliases of tables and columns, with repetitions. */
  readonly aliases: string[]
  recursive: boolean
}

/** Undefined if any part may be harmful or hide another statement. */
function readingOf(statement: object): Found | undefined {
  const found: Found = { tables: new Set(), functions: new Set(), aliases: [], recursive: false }
  const waiting: Waiting[] = [{ node: Object.values(statement)[0], named: new Set() }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, named } = next
    if (Array.isArray(node)) for (const one of node) waiting.push({ node: one, named })
    if (!isObject(node)) continue
    const inside = expressionsOf(node.withClause, named, waiting)
    if (isObject(node.withClause) && node.withClause.recursive === true) found.recursive = true
    for (const [kind, value] of Object.entries(node)) {
      if (MUTATING.has(kind)) return undefined
      if (kind === 'FuncCall' && !addFunction(value, found.functions)) return undefined
      if (kind === 'RangeFunction') return undefined
      if (kind === 'alias' && !addAlias(value, found.aliases)) return undefined
      if (kind === 'returningList' || kind === 'exprs' || (kind === 'targetList' && 'op' in node)) addLabels(value, found.aliases)
      // The target of a write is a table even if an expression has the same name.
      if (kind === 'RangeVar' || kind === 'relation') {
        if (!isNamed(value)) return undefined
        addTable(value, found.tables, kind === 'relation' ? new Set() : inside)
      }
      if (kind !== 'withClause') waiting.push({ node: value, named: inside })
    }
  }
  return found
}

/** Adds the alias of a table; false if it renames columns, too. */
function addAlias(value: unknown, aliases: string[]): boolean {
  if (!isObject(value) || typeof value.aliasname !== 'string' || value.colnames !== undefined) return false
  aliases.push(value.aliasname)
  return true
}

/** Adds labels of selected and returned values. In SET lists they are columns instead. */
function addLabels(list: unknown, aliases: string[]): void {
  for (const one of Array.isArray(list) ? list : [])
    if (isObject(one) && isObject(one.ResTarget) && typeof one.ResTarget.name === 'string') aliases.push(one.ResTarget.name)
}

/** Names in scope next to a WITH. Each of its queries sees the ones before it, and itself only with RECURSIVE. */
function expressionsOf(clause: unknown, outside: ReadonlySet<string>, waiting: Waiting[]): ReadonlySet<string> {
  if (!isObject(clause) || !Array.isArray(clause.ctes)) return outside
  const queries: readonly unknown[] = clause.ctes.map((one: unknown) => (isObject(one) ? one.CommonTableExpr : undefined))
  const names = queries.map((one) => (isObject(one) && typeof one.ctename === 'string' ? one.ctename : ''))
  const all = new Set([...outside, ...names])
  for (const [n, node] of queries.entries())
    waiting.push({ node, named: clause.recursive === true ? all : new Set([...outside, ...names.slice(0, n)]) })
  return all
}

/** True for a plain table name: DuckDB and others read `"/etc/passwd"` or a URL there as a file. */
function isNamed(value: unknown): boolean {
  if (!isObject(value)) return false
  const names = [value.catalogname, value.schemaname, value.relname].filter((name) => name !== undefined)
  return names.every((name) => typeof name === 'string' && /^[\p{L}_][\p{L}\d_$ -]*$/u.test(name))
}

function addTable(value: unknown, tables: Set<string>, named: ReadonlySet<string>): void {
  if (!isObject(value) || typeof value.relname !== 'string') return
  if (value.schemaname === undefined && named.has(value.relname)) return
  const schema = typeof value.schemaname === 'string' && value.schemaname !== 'public' ? `${value.schemaname}.` : ''
  tables.add(`${schema}${value.relname}`)
}

/** False for a function that is not known to be pure. */
function addFunction(call: unknown, functions: Set<string>): boolean {
  if (!isObject(call) || !Array.isArray(call.funcname)) return false
  const names = call.funcname.map((part: unknown) => (isObject(part) && isObject(part.String) ? part.String.sval : undefined))
  const name = names.at(-1)
  const plain = names.length === 1 || (names.length === 2 && names[0] === 'pg_catalog')
  if (!plain || typeof name !== 'string' || !PURE.has(name)) return false
  functions.add(name)
  return true
}
