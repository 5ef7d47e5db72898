/**
 * What changed since the tables of commit 3fe2e362, the oldest that are migrated; kept until 1.0. A new database gets
 * the declared tables at once. The version of a database counts the steps of its store.
 *
 * Only append: a step that stands here may have run. One that prints a declaration is to be written out once a later
 * step changes the same table.
 */
import { findTable, TABLES, type TableName } from './all-tables.ts'
import type { StoreKind, Table } from './declaration.ts'
import { columnInPostgres, createInPostgres } from './print-postgres.ts'
import { columnInSqlite, createInSqlite, printIndex } from './print-sqlite.ts'

/** The statements of a step for each store; null for a store that it does not change. */
type Change = Readonly<Record<StoreKind, readonly string[] | null>>

/** Versions of a database's schema. */
export interface Versions {
  /** The first version that can be migrated. */
  readonly oldest: number
  readonly present: number
}

const PRINTERS = {
  sqlite: { create: createInSqlite, column: columnInSqlite },
  postgres: { create: createInPostgres, column: columnInPostgres },
} as const

const OLDEST: Readonly<Record<StoreKind, number>> = { sqlite: 55, postgres: 37 }

const CARRIER_USER_INDEXES = [
  'CREATE INDEX carrier_user_kept ON carrier_user (keep_until)',
  'CREATE INDEX carrier_user_of_phone ON carrier_user (phone_hash)',
]

const QUALITY_COUNT_INDEX = 'CREATE INDEX quality_count_kept ON quality_count (keep_until)'

const CHANGES: readonly Change[] = [
  added('login_network'),
  // A declaration of today would have the columns that were added since.
  {
    sqlite: [
      'CREATE TABLE carrier_user (carrier_id TEXT NOT NULL, user_id TEXT NOT NULL, phone TEXT NOT NULL, phone_hash TEXT NOT NULL, keep_until INTEGER NOT NULL, PRIMARY KEY (carrier_id, user_id)) STRICT, WITHOUT ROWID',
      ...CARRIER_USER_INDEXES,
    ],
    postgres: [
      'CREATE TABLE carrier_user (carrier_id text COLLATE "C" NOT NULL, user_id text COLLATE "C" NOT NULL, phone text NOT NULL, phone_hash text COLLATE "C" NOT NULL, keep_until bigint NOT NULL, PRIMARY KEY (carrier_id, user_id))',
      ...CARRIER_USER_INDEXES,
    ],
  },
  // Numbers of commands, below 0, so that a move knows by the other sequence whether a gateway was there.
  { sqlite: null, postgres: ['CREATE SEQUENCE command_number AS integer INCREMENT BY -1'] },
  extended('inbound_message', ['answers'], ['inbound_message_answers']),
  added('bulk_phone'),
  // Gateways of earlier versions go on beside new ones, and would post reports to addresses with sealed queries.
  { sqlite: null, postgres: ['ALTER TABLE node ADD COLUMN opens_addresses smallint NOT NULL DEFAULT 0'] },
  // As above: a declaration of today would have more columns.
  {
    sqlite: [
      'CREATE TABLE client_login (name TEXT PRIMARY KEY, account_id INTEGER NOT NULL REFERENCES account, secrets TEXT NOT NULL, networks TEXT, type TEXT NOT NULL, sender TEXT, max_binds INTEGER NOT NULL, per_second REAL, window_size INTEGER NOT NULL, once_by_reference INTEGER NOT NULL, test INTEGER NOT NULL, created_at INTEGER NOT NULL) STRICT, WITHOUT ROWID',
    ],
    postgres: [
      'CREATE TABLE client_login (name text COLLATE "C" NOT NULL, account_id bigint NOT NULL REFERENCES account, secrets text NOT NULL, networks text, type text NOT NULL, sender text, max_binds integer NOT NULL, per_second double precision, window_size integer NOT NULL, once_by_reference smallint NOT NULL, test smallint NOT NULL, created_at bigint NOT NULL, PRIMARY KEY (name))',
    ],
  },
  // As above.
  {
    sqlite: null,
    postgres: [
      'CREATE TABLE login_place (login text COLLATE "C" NOT NULL, place integer NOT NULL, node integer NOT NULL, PRIMARY KEY (login, place))',
    ],
  },
  added('smpp_part'),
  extended('api_key', ['networks', 'operations_per_second'], []),
  added('smpp_id'),
  { sqlite: null, postgres: ['ALTER TABLE login_place ADD COLUMN facts text'] },
  added('carrier_check'),
  extended('carrier_user', ['name'], []),
  extended('admin_user', ['subject'], ['admin_user_of_subject']),
  extended('notification_target', ['enabled'], []),
  // SQLite cannot change a primary key.
  {
    sqlite: [
      'ALTER TABLE cost RENAME TO undated_cost',
      ...createInSqlite(findTable('sqlite', 'cost')),
      `INSERT INTO cost (carrier_id, prefix, operator, price_micros, currency, category)
       SELECT carrier_id, prefix, operator, price_micros, currency, category FROM undated_cost`,
      'DROP TABLE undated_cost',
    ],
    postgres: [
      'ALTER TABLE cost ADD COLUMN valid_from bigint NOT NULL DEFAULT 0',
      'ALTER TABLE cost ADD COLUMN valid_until bigint',
      'ALTER TABLE cost ADD CONSTRAINT cost_check CHECK (valid_until > valid_from)',
      'ALTER TABLE cost DROP CONSTRAINT cost_pkey',
      'ALTER TABLE cost ADD CONSTRAINT cost_pkey PRIMARY KEY (carrier_id, category, prefix, operator, valid_from)',
    ],
  },
  // As above.
  {
    sqlite: [
      'CREATE TABLE quality_rule (carrier_id TEXT NOT NULL, mode TEXT, floor_percent INTEGER, drop_percent INTEGER, trickle_percent INTEGER, within_seconds INTEGER, window_minutes INTEGER, min_messages INTEGER, PRIMARY KEY (carrier_id)) STRICT, WITHOUT ROWID',
    ],
    postgres: [
      'CREATE TABLE quality_rule (carrier_id text COLLATE "C" NOT NULL, mode text, floor_percent integer, drop_percent integer, trickle_percent integer, within_seconds integer, window_minutes integer, min_messages integer, PRIMARY KEY (carrier_id))',
    ],
  },
  added('demotion'),
  // As above.
  {
    sqlite: [
      'CREATE TABLE quality_count (span TEXT NOT NULL, slot INTEGER NOT NULL, channel TEXT NOT NULL, carrier_id TEXT NOT NULL, country TEXT NOT NULL, operator TEXT NOT NULL, sent INTEGER NOT NULL, delivered INTEGER NOT NULL, delivered_ms INTEGER NOT NULL, codes INTEGER NOT NULL, converted INTEGER NOT NULL, keep_until INTEGER NOT NULL, PRIMARY KEY (span, slot, channel, carrier_id, country, operator)) STRICT, WITHOUT ROWID',
      QUALITY_COUNT_INDEX,
    ],
    postgres: [
      'CREATE TABLE quality_count (span text COLLATE "C" NOT NULL, slot bigint NOT NULL, channel text COLLATE "C" NOT NULL, carrier_id text COLLATE "C" NOT NULL, country text COLLATE "C" NOT NULL, operator text COLLATE "C" NOT NULL, sent bigint NOT NULL, delivered bigint NOT NULL, delivered_ms bigint NOT NULL, codes bigint NOT NULL, converted bigint NOT NULL, keep_until bigint NOT NULL, PRIMARY KEY (span, slot, channel, carrier_id, country, operator)) WITH (fillfactor = 50)',
      QUALITY_COUNT_INDEX,
    ],
  },
  extended('api_key', ['priority'], []),
  extended('client_login', ['priority'], []),
  extended('notification_target', ['time_zone'], []),
  extended('alarm', ['effect'], []),
  added('carrier_time'),
  added('price_group'),
  added('price_group_member'),
  // As above.
  {
    sqlite: [
      'ALTER TABLE price RENAME TO ungrouped_price',
      ...createInSqlite(findTable('sqlite', 'price')),
      `INSERT INTO price (account_id, currency, channel, prefix, operator, valid_from, valid_until, price_micros)
       SELECT account_id, currency, channel, prefix, operator, valid_from, valid_until, price_micros FROM ungrouped_price`,
      'DROP TABLE ungrouped_price',
    ],
    postgres: [
      `ALTER TABLE price ADD COLUMN group_id text COLLATE "C" NOT NULL DEFAULT ''`,
      'ALTER TABLE price DROP CONSTRAINT price_pkey',
      'ALTER TABLE price ADD CONSTRAINT price_pkey PRIMARY KEY (account_id, group_id, currency, channel, prefix, operator, valid_from)',
    ],
  },
  // From a day later on: gateways of earlier versions go on beside new ones, and do not add up quarters.
  {
    sqlite: [
      'ALTER TABLE meta ADD COLUMN quarters_from INTEGER NOT NULL DEFAULT 0',
      'UPDATE meta SET quarters_from = (unixepoch() + 86400) * 1000',
    ],
    postgres: [
      'ALTER TABLE meta ADD COLUMN quarters_from bigint NOT NULL DEFAULT 0',
      'UPDATE meta SET quarters_from = (extract(epoch FROM now())::bigint + 86400) * 1000',
    ],
  },
  // As above.
  {
    sqlite: [
      'ALTER TABLE quality_rule RENAME TO carrier_quality_rule',
      ...createInSqlite(findTable('sqlite', 'quality_rule')),
      `INSERT INTO quality_rule (carrier_id, mode, floor_percent, drop_percent, trickle_percent, within_seconds, window_minutes, min_messages)
       SELECT carrier_id, mode, floor_percent, drop_percent, trickle_percent, within_seconds, window_minutes, min_messages FROM carrier_quality_rule`,
      'DROP TABLE carrier_quality_rule',
    ],
    postgres: [
      'ALTER TABLE quality_rule ADD COLUMN slow_percent integer',
      `ALTER TABLE quality_rule ADD COLUMN country text COLLATE "C" NOT NULL DEFAULT ''`,
      'ALTER TABLE quality_rule DROP CONSTRAINT quality_rule_pkey',
      'ALTER TABLE quality_rule ADD CONSTRAINT quality_rule_pkey PRIMARY KEY (carrier_id, country)',
    ],
  },
  extended('quality_count', ['in_10s', 'in_30s', 'in_90s', 'later'], []),
  extended('meta', ['cost_revision'], []),
]

export const VERSIONS: Readonly<Record<StoreKind, Versions>> = {
  sqlite: versionsOf('sqlite'),
  postgres: versionsOf('postgres'),
}

/** Returns the statements that bring a database of this version to the present one; 0 is a new database. */
export function statementsFrom(store: StoreKind, version: number): readonly string[] {
  if (version === 0) return TABLES[store].flatMap(PRINTERS[store].create)
  return stepsOf(store)
    .slice(version - OLDEST[store])
    .flat()
}

function stepsOf(store: StoreKind): readonly (readonly string[])[] {
  return CHANGES.flatMap(({ [store]: statements }) => (statements === null ? [] : [statements]))
}

function versionsOf(store: StoreKind): Versions {
  return { oldest: OLDEST[store], present: OLDEST[store] + stepsOf(store).length }
}

/** A new table, in the stores that have it. */
function added(name: TableName): Change {
  return inBoth((store) => {
    const table = TABLES[store].find((each) => each.name === name)
    return table === undefined ? null : PRINTERS[store].create(table)
  })
}

/** New columns and indexes of a table. */
function extended(name: TableName, columns: readonly string[], indexes: readonly string[]): Change {
  return inBoth((store) => {
    const table: Table = findTable(store, name)
    const isNew = (index: string) => indexes.some((each) => index.startsWith(`${each} `))
    return [
      ...table.columns
        .filter((column) => columns.includes(column.name))
        .map(
          (column) =>
            `ALTER TABLE ${name} ADD COLUMN ${PRINTERS[store].column(column, store === 'postgres' && table.bucket !== null)}`,
        ),
      ...table.indexes.filter(isNew).map((index) => printIndex(name, index)),
    ]
  })
}

function inBoth(print: (store: StoreKind) => readonly string[] | null): Change {
  return { sqlite: print('sqlite'), postgres: print('postgres') }
}
