/** The state of the installation and of its gateways. */
import type { Declaration } from './declaration.ts'

export const INSTALLATION_TABLES = {
  meta: {
    why: 'One row: revisions of the directory, the name of the sealing key, the sealed secret that hashes phones; in a file also its gateway and the next counter.',
    columns: {
      one: 'smallint',
      node: 'bigint only sqlite',
      revision: 'bigint',
      next_counter: 'bigint only sqlite',
      price_revision: 'bigint',
      sealing_key: 'text',
      phone_secret: 'text sealed bound',
      books_from: 'bigint', // no posting is dated earlier
      hook_revision: 'bigint default 0',
      quarters_from: 'bigint default 0', // posting_total has quarters of an hour from this time on
      cost_revision: 'bigint default 1',
    },
    key: 'one',
    checks: { meta_one_check: 'one = 1' },
    row: "1, 1, 1, '', '', 0, 0, 0, 1",
    sqlite: {
      row: "1, 0, 1, 1, 1, '', '', 0, 0, 0, 1",
      columns: {
        price_revision: 'bigint default 1',
        sealing_key: "text default ''",
        phone_secret: "text default '' sealed bound",
        books_from: 'bigint default 0',
      },
    },
    postgres: { fillfactor: 10 },
  },
  message_counter: {
    why: 'One row: the next message counter. A change of the directory locks the row of meta, and may need a counter.',
    columns: {
      one: 'smallint',
      next: 'bigint',
    },
    key: 'one',
    checks: { message_counter_one_check: 'one = 1' },
    row: '1, 1',
    only: 'postgres',
    postgres: { fillfactor: 10 },
  },
  node: {
    why: "Gateways that run, by a number that is never reused; a running one increments its heartbeat. Times are the database's.",
    columns: {
      node: 'integer',
      heartbeat: 'bigint',
      delivers: 'smallint',
      name: "text default ''",
      role: "text default 'all'",
      started_at: 'bigint default 0',
      heartbeat_at: 'bigint default 0',
      version: "text default ''", // of its program; empty for older ones
      opens_addresses: 'smallint default 0', // 0: it reads addresses as they are stored
    },
    key: 'node',
    only: 'postgres',
    postgres: {
      fillfactor: 10,
      also: ['CREATE SEQUENCE node_number AS integer', 'CREATE SEQUENCE command_number AS integer INCREMENT BY -1'],
    },
  },
  lease: {
    why: 'The right to write in a bucket: each transaction of a node updates its row first. To delete a row waits for that transaction and blocks later ones; a change of the sealing key and the closing of a month update all rows.',
    columns: {
      bucket: 'smallint',
      node: 'integer',
      batch: 'bigint', // the last one written here
      sealing_key: 'text',
      books_from: 'bigint',
      swept_to: 'bigint', // the message up to which the bucket was swept
    },
    key: 'bucket, node',
    only: 'postgres',
    postgres: { fillfactor: 10 },
  },
  carrier_slot: {
    why: "Which node holds which slot of the carriers that limit an installation's connections or messages a second.",
    columns: {
      carrier_id: 'name',
      slot: 'integer',
      node: 'integer',
    },
    key: 'carrier_id, slot',
    only: 'postgres',
  },
  login_place: {
    why: 'Which node holds which place for a connection of a login.',
    columns: {
      login: 'name',
      place: 'integer', // from 0
      node: 'integer',
      facts: 'text null', // JSON: the connection, for operators; NULL of nodes of earlier versions
    },
    key: 'login, place',
    only: 'postgres',
  },
  moving: {
    why: 'One row at most: no gateway works here while it is there (posthorn move).',
    columns: {
      one: 'smallint',
      move_id: 'text', // the same in both databases
      direction: 'text', // in or out
      other: 'text', // source or target, for messages to operators
      place: 'text', // JSON: the progress, of a move in
    },
    key: 'one',
    checks: { moving_one_check: 'one = 1' },
    stays: true,
  },
  rewind: {
    why: 'When a gateway last found that the database had gone back in time (acknowledged.ts).',
    columns: {
      id: 'smallint',
      at: 'bigint', // milliseconds, by the clock of the database
    },
    key: 'id',
    checks: { rewind_id_check: 'id = 1' },
    only: 'postgres',
  },
} as const satisfies Readonly<Record<string, Declaration>>
