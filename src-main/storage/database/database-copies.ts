import { rmSync } from 'node:fs'
import { isObject } from '../../../src-shared/base/json.ts'
import { objectIn } from '../../../src-shared/base/parse-json.ts'
import type { BackupContents } from '../../../src-shared/contract/backups.ts'
import { StorageError } from '../base/storage.ts'
import { storageError } from '../base/storage-errors.ts'
import { copyForBackup } from './database-jobs.ts'
import { disown } from './disown.ts'
import { applyStep, databaseVersion, MIGRATIONS } from './migrations.ts'
import { Sqlite } from './sqlite.ts'

type CopyContents = Pick<
  BackupContents,
  'conversations' | 'providers' | 'proxy' | 'authorities' | 'instructions' | 'projects' | 'titleModel'
>

export class DatabaseCopies {
  readonly #sqlite: Sqlite

  constructor(sqlite: Sqlite) {
    this.#sqlite = sqlite
  }

  take(file: string): void {
    rmSync(file, { force: true })
    copyForBackup(this.#sqlite, file)
  }

  /** Removes from a copy of another data folder all that permits something or counts as said by the person here. */
  disown(file: string): void {
    using copy = new Sqlite(file)
    copy.exec('PRAGMA trusted_schema = OFF; PRAGMA synchronous = FULL')
    disown(copy)
  }

  /** Throws `newer-version`, or `corrupt` for a damaged database or one with a schema that no Parley made. */
  inspect(file: string): CopyContents {
    using copy = new Sqlite(file, { readOnly: true })
    try {
      copy.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON')
      const version = databaseVersion(copy, 'The database of this backup')
      const same = version > 0 && schemaOf(copy) === schemaAt(version)
      if (!same || copy.get<{ quick_check: string }>('PRAGMA quick_check(1)')?.quick_check !== 'ok') throw damaged()
      const [settings] = recordsOf(copy, 'settings', 'settings')
      const proxy = settings?.proxy
      const address = isObject(proxy) && typeof proxy.address === 'string' ? proxy.address.slice(0, 300) : undefined
      const { titleModel } = settings ?? {}
      const providers = recordsOf(copy, 'provider')
      return {
        conversations: copy.get<{ n: number }>('SELECT count(*) AS n FROM conversation WHERE removed = 0')?.n ?? 0,
        providers: providers.map(({ name, baseUrl }) => ({
          name: textOf(name, 200),
          ...(typeof baseUrl === 'string' && { address: baseUrl.slice(0, 300) }),
        })),
        instructions: textOf(settings?.instructions),
        projects: recordsOf(copy, 'project').map(({ name, instructions, files }) => ({
          name: textOf(name, 200),
          instructions: textOf(instructions),
          files: Array.isArray(files) ? files.length : 0,
        })),
        ...(isObject(titleModel) && {
          titleModel: {
            model: textOf(titleModel.model, 300),
            provider:
              textOf(providers.find(({ id }) => id === titleModel.provider)?.name, 200) || textOf(titleModel.provider, 200),
          },
        }),
        authorities: typeof settings?.authorities === 'string' && settings.authorities !== '',
        ...(address && { proxy: address }),
      }
    } catch (error) {
      throw storageError(error, '').code === 'corrupt' ? damaged() : error
    }
  }
}

const damaged = () => new StorageError('corrupt', 'The database in this backup is damaged.')

function schemaOf(sqlite: Sqlite): string {
  return JSON.stringify(
    sqlite.all("SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%' ORDER BY type, name"),
  )
}

/** The schema that Parley creates. A foreign file must have no other: triggers and views could run SQL. */
function schemaAt(version: number): string {
  using fresh = new Sqlite(':memory:')
  for (const step of MIGRATIONS.slice(0, version)) applyStep(fresh, step)
  return schemaOf(fresh)
}

const textOf = (value: unknown, most?: number) => (typeof value === 'string' ? value.slice(0, most) : '')

/** More records of a kind than any Parley keeps. */
const MAX_RECORDS = 500

/** Records of a foreign file; anything but an object is left out. Throws for more than can be shown. */
function recordsOf(sqlite: Sqlite, collection: string, key?: string): Record<string, unknown>[] {
  const rows = sqlite.all<{ json: string }>(
    'SELECT json FROM record WHERE collection = ? AND key = coalesce(?, key) ORDER BY rowid LIMIT ?',
    collection,
    key ?? null,
    MAX_RECORDS + 1,
  )
  if (rows.length > MAX_RECORDS) throw damaged()
  return rows.map(({ json }) => objectIn(json)).filter((record) => record !== undefined)
}
