import { beforeAll, describe, expect, it } from 'vitest'
import { looksLikeSql, readSql, sqlIsReadable } from './read-sql.ts'

beforeAll(() => sqlIsReadable)

/** `SELECT a b`. */
const read = (text: string) => {
  const reading = readSql(text)
  return reading && [reading.verb, ...reading.tables].join(' ')
}

describe('one plain statement', () => {
  it.each([
    ['SELECT 1', 'SELECT'],
    ['select * from Orders', 'SELECT orders'],
    ['SELECT * FROM "Orders"', 'SELECT Orders'],
    ['SELECT * FROM orders;', 'SELECT orders'],
    ['SELECT * FROM public.orders', 'SELECT orders'],
    ['SELECT * FROM audit.orders', 'SELECT audit.orders'],
    ['SELECT o.id FROM orders o JOIN customers c ON c.id = o.customer', 'SELECT customers orders'],
    ['SELECT * FROM orders, customers', 'SELECT customers orders'],
    ['SELECT (SELECT max(id) FROM invoices) FROM orders', 'SELECT invoices orders'],
    ['SELECT * FROM orders WHERE id IN (SELECT id FROM salaries)', 'SELECT orders salaries'],
    ['SELECT * FROM orders WHERE EXISTS (SELECT 1 FROM salaries)', 'SELECT orders salaries'],
    ['SELECT * FROM orders UNION ALL SELECT * FROM salaries', 'SELECT orders salaries'],
    ['SELECT * FROM orders ORDER BY (SELECT 1 FROM salaries)', 'SELECT orders salaries'],
    ['SELECT count(*), lower(name) FROM orders GROUP BY 2', 'SELECT orders'],
    ["SELECT 'x; DROP TABLE orders'::text FROM customers", 'SELECT customers'],
    ['SELECT * FROM information_schema.tables', 'SELECT'],
    ["SELECT obj_description('shop.returns'::regclass), pg_size_pretty(pg_total_relation_size('x'))", 'SELECT'],
    ['SELECT * FROM pg_catalog.pg_authid', 'SELECT pg_catalog.pg_authid'],
    ['INSERT INTO orders SELECT * FROM customers', 'INSERT customers orders'],
    ['UPDATE orders SET total = (SELECT 1 FROM salaries)', 'UPDATE orders salaries'],
    ['DELETE FROM orders USING customers', 'DELETE customers orders'],
    ['DELETE FROM information_schema.tables', 'DELETE information_schema.tables'],
    ['SELECT o.id AS number, ord.x FROM orders o, orders ord, customers AS buyers', 'SELECT customers orders'],
    ['SELECT total FROM (SELECT 1 AS total) AS inner_one', 'SELECT'],
    ['UPDATE orders o SET shutdown = 1', 'UPDATE orders'],
    ['INSERT INTO orders (shutdown) VALUES (1) RETURNING id AS made', 'INSERT orders'],
    ["SELECT string_agg(column_name, ', ') FROM information_schema.columns", 'SELECT'],
    ['SELECT repeat(name, 2) FROM orders', 'SELECT orders'],
    ['SELECT version(), current_date, now()', 'SELECT'],
  ])('is read with its tables: %s', (text, reading) => {
    expect(read(text)).toBe(reading)
  })

  it.each([
    ['names what it makes up', 'WITH x AS (SELECT * FROM orders) SELECT * FROM x', 'SELECT orders'],
    ['hides a table of another schema', 'WITH x AS (SELECT 1) SELECT * FROM hr.x', 'SELECT hr.x'],
    ['hides the table of its own name', 'WITH salaries AS (SELECT * FROM salaries) SELECT * FROM salaries', 'SELECT salaries'],
    [
      'hides the same with its schema',
      'WITH salaries AS (SELECT * FROM public.salaries) SELECT * FROM salaries',
      'SELECT salaries',
    ],
    ['hides it before it is there', 'WITH a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM a', 'SELECT b'],
    ['hides it outside of itself', 'SELECT * FROM (WITH x AS (SELECT 1) SELECT * FROM x) y, x', 'SELECT x'],
    ['hides what is deleted from', 'WITH orders AS (SELECT 1) DELETE FROM orders', 'DELETE orders'],
    [
      'goes through itself',
      'WITH RECURSIVE x AS (SELECT 1 UNION SELECT * FROM x JOIN orders ON true) SELECT * FROM x',
      'SELECT orders',
    ],
    ['is seen by the next', 'WITH a AS (SELECT * FROM orders), b AS (SELECT * FROM a) SELECT * FROM b', 'SELECT orders'],
  ])('is read although an expression %s', (_what, text, reading) => {
    expect(read(text)).toBe(reading)
  })

  it.each([
    ['nothing', ''],
    ['two statements', 'SELECT 1; SELECT 2'],
    ['another after it', 'SELECT 1; DROP TABLE orders'],
    ['a comment to the end of the line', 'SELECT 1 -- FROM orders'],
    ['a comment', 'SELECT /* x */ 1'],
    ['what MySQL runs in a comment', 'SELECT 1 /*!50000 INTO OUTFILE "/tmp/x" */'],
    ['a comment of MySQL', 'SELECT 1 # FROM orders'],
    ['a string in dollars', 'SELECT $$ x $$'],
    ['a string in named dollars', 'SELECT $a$ x $a$'],
    ['a backslash', "SELECT 'a\\'; DROP TABLE orders'"],
    ['backticks', 'SELECT * FROM `orders`'],
    ['a file in the place of a table', 'SELECT * FROM "/etc/passwd"'],
    ['an address in the place of a table', 'SELECT * FROM "https://x.example/a.csv"'],
    ['a file in this folder', 'SELECT * FROM "data.csv"'],
    ['an expression that deletes', 'WITH x AS (DELETE FROM orders RETURNING *) SELECT * FROM x'],
    ['an expression that inserts', 'WITH x AS (INSERT INTO orders VALUES (1) RETURNING *) SELECT * FROM x'],
    ['an expression that updates', 'WITH x AS (UPDATE orders SET a = 1 RETURNING *) SELECT * FROM x'],
    ['a table that is made', 'SELECT * INTO copied FROM orders'],
    ['a lock', 'SELECT * FROM orders FOR UPDATE'],
    ['a function that reads files', "SELECT pg_read_file('/etc/passwd')"],
    ['a function that writes', "SELECT lo_export(1, '/tmp/x')"],
    ['a function that sleeps', 'SELECT pg_sleep(100)'],
    ['a function that sets', "SELECT set_config('role', 'admin', false)"],
    ['a sequence that is moved', "SELECT nextval('orders_id')"],
    ['a function of one’s own', 'SELECT lower_all(name) FROM orders'],
    ['a harmless name in another schema', 'SELECT evil.lower(name) FROM orders'],
    ['a function deep in a condition', "SELECT * FROM orders WHERE id = (SELECT dblink_exec('x'))"],
    ['a function in what is set', 'UPDATE orders SET a = pg_read_file(name)'],
    ['rows that a function makes', 'SELECT * FROM generate_series(1, 1000000000)'],
    ['rows that a harmless function makes', 'SELECT * FROM lower(name)'],
    ['the plan that runs it', 'EXPLAIN ANALYZE DELETE FROM orders'],
    ['a program', "COPY orders TO PROGRAM 'sh'"],
    ['a file', "COPY orders FROM '/etc/passwd'"],
    ['a call', 'CALL cleanup()'],
    ['code', "DO 'begin end'"],
    ['a setting', 'SET role admin'],
    ['a table dropped', 'DROP TABLE orders'],
    ['a table emptied', 'TRUNCATE orders'],
    ['a right given', 'GRANT ALL ON orders TO public'],
    ['a merge', 'MERGE INTO orders USING customers ON true WHEN MATCHED THEN DELETE'],
    ['a prepared one', 'PREPARE x AS DELETE FROM orders'],
    ['what is no SQL', 'show me the orders'],
    ['a name without AS that SQL Server runs', 'SELECT * FROM notes SHUTDOWN'],
    ['a name without AS that empties a table', 'SELECT * FROM notes TRUNCATE'],
    ['a name without AS that runs a text', 'SELECT * FROM notes EXEC ("drop table x")'],
    ['a name with columns', 'SELECT * FROM notes AS x (a)'],
    ['a name without AS beside one with it', 'SELECT 1 AS "shutdown" FROM notes shutdown'],
    ['a name without AS beside one in a string', "SELECT ' as shutdown' FROM notes shutdown"],
    ['a name without AS of a column', 'SELECT 1 SHUTDOWN'],
    ['a name without AS of a join', 'SELECT * FROM a JOIN b checkpoint ON true'],
    ['a name without AS of rows in rows', 'SELECT * FROM (SELECT 1) revert'],
    ['a name without AS of what is changed', 'UPDATE notes rollback SET a = 1'],
    ['a name without AS of what is deleted', 'DELETE FROM notes commit'],
    ['a name without AS of what comes back', 'DELETE FROM notes RETURNING id shutdown'],
    ['a name without AS that deletes', 'SELECT 1 DELETE FROM notes'],
    ['the end of a batch', 'SELECT * FROM notes GO'],
    ['a text without end of no table', "SELECT repeat('x', 1000000000)"],
    ['a text without end of the catalog', 'SELECT repeat(table_name, 1000000000) FROM information_schema.tables'],
    ['a width without end', "SELECT lpad('x', 1000000000)"],
    ['rows without end', 'WITH RECURSIVE x AS (SELECT 1 UNION ALL SELECT * FROM x) SELECT count(*) FROM x'],
    ['an outfile of MySQL', "SELECT * FROM orders INTO OUTFILE '/tmp/x'"],
  ])('is not read: %s', (_what, text) => {
    expect(readSql(text)).toBeUndefined()
  })

  it('is read up to 8 KiB', () => {
    const long = (length: number) => `SELECT '${'x'.repeat(length - 9)}'`
    expect(long(8_192)).toHaveLength(8_192)
    expect(read(long(8_192))).toBe('SELECT')
    expect(read(long(8_193))).toBeUndefined()
  })

  it('is read again after many others', () => {
    for (let n = 0; n < 1_200; n++) expect(read(`SELECT * FROM t${n}`)).toBe(`SELECT t${n}`)
    expect(read('SELECT * FROM t1')).toBe('SELECT t1')
  })
})

describe('a text', () => {
  it.each([
    'SELECT 1',
    'select a from b',
    '  DELETE FROM orders',
    'insert into orders values (1)',
    'UPDATE orders SET a = 1',
    'drop table orders',
    'CREATE OR REPLACE FUNCTION f()',
    'TRUNCATE orders',
    'with x as (select 1) select 2',
    'COPY orders TO PROGRAM',
    'BEGIN; DROP',
    'explain analyze delete from x',
    'PRAGMA writable_schema',
  ])('looks like SQL: %s', (text) => {
    expect(looksLikeSql(text)).toBe(true)
  })

  it.each(['update on the orders', 'with best wishes', 'drop me a line', 'delete old mails', 'is:open'])(
    'does not look like SQL: %s',
    (text) => {
      expect(looksLikeSql(text)).toBe(false)
    },
  )
})
