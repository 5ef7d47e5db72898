/**
 * Fills a store with messages by SQL: each is a copy of a model (grown-models.ts) with an account, a phone, times,
 * carriers and ids of its own, as are its events, report, postings and statistics. `posthorn account verify-ledger`
 * finds nothing wrong in it.
 */
import type { Model } from './grown-models.ts'

/** SQL of one database. */
export interface GrownDatabase {
  readonly isPostgres: boolean
  columnsOf(table: string): Promise<readonly string[]>
  run(sql: string): Promise<void>
  /** Rows numbered `i`, from and through. */
  numbers(from: number, through: number): string
}

export interface Growth {
  readonly models: readonly Model[]
  readonly firstAccount: number
  readonly accounts: number
  readonly messages: number
  /** The messages are accepted from here until then, evenly, milliseconds. */
  readonly from: number
  readonly until: number
  /** When the models were accepted. */
  readonly modelAt: number
  /** SQL for the counter of the id of message `i`, accepted at `at`. */
  readonly counter: string
  /** The carrier of the models, which copies replace. */
  readonly modelCarrier: string
}

export const LARGE_ACCOUNTS = 20
export const GROWN_CARRIERS = 4
/** In each million, one message has this sender and one is rejected. */
export const RARE_SENDER = 'Rare'
const DAY_MS = 86_400_000
const COPIED = ['message', 'event', 'report', 'posting'] as const

export async function growRows(database: GrownDatabase, growth: Growth, onDay: (day: number) => void): Promise<void> {
  const { run } = database
  const kinds = growth.models.map(({ accountId, message }, kind) => `(${kind}, ${message.id}, ${accountId})`)
  await run(`CREATE TABLE grown_kind (model bigint, msg_id bigint, account_id bigint);
    INSERT INTO grown_kind VALUES ${kinds.join(', ')}`)
  for (const table of [...COPIED, 'part_ref']) {
    const columns =
      table === 'posting' ? 'row_number() OVER (PARTITION BY each.msg_id ORDER BY posting_id) AS number,' : ''
    await run(`CREATE TABLE grown_${table} AS SELECT grown_kind.model, ${columns} each.* FROM ${table} AS each
      JOIN grown_kind ON grown_kind.msg_id = each.msg_id`)
  }
  // Nothing was rolled up further yet: each row counts one message.
  await run(`CREATE TABLE grown_message_total AS SELECT grown_kind.model, each.* FROM message_total AS each
    JOIN grown_kind ON grown_kind.account_id = each.account_id WHERE level IN (0, 5)`)
  const days = Math.ceil((growth.until - growth.from) / DAY_MS)
  const firstOf = (day: number) => Math.ceil((growth.messages * day) / days)
  for (let day = 0; day < days; day += 1) {
    onDay(day)
    const steps = [
      `CREATE TABLE grown_chunk AS ${messagesOf(database, growth, firstOf(day), firstOf(day + 1) - 1)}`,
      ...(database.isPostgres ? ['ANALYZE grown_chunk'] : []),
      ...(await copies(database, growth)),
      ...totals(database, growth),
      'DROP TABLE grown_chunk',
    ]
    await run(steps.join(';\n'))
  }
  await run(partRefs(database, growth))
  // Their totals are those of months alone.
  await run(`UPDATE meta SET quarters_from = ${growth.until + DAY_MS}`)
  await run(balances(database, growth))
  for (const table of ['kind', ...COPIED, 'part_ref', 'message_total']) await run(`DROP TABLE grown_${table}`)
}

/** Half of the messages are of the large accounts, the others of all others in turn. */
function messagesOf(database: GrownDatabase, growth: Growth, from: number, through: number): string {
  const { firstAccount, accounts, messages, from: beginning, until, counter } = growth
  const others = accounts - LARGE_ACCOUNTS
  return `SELECT counted.*, ${counter} * 64 + account_id % 64 AS msg_id, account_id % 64 AS bucket
    FROM (SELECT i, ${beginning} + i * ${until - beginning} / ${messages} AS at,
      CASE WHEN i % 2 = 0 THEN ${firstAccount} + i / 2 % ${LARGE_ACCOUNTS}
        ELSE ${firstAccount + LARGE_ACCOUNTS} + (i / 2) * 7919 % ${others} END AS account_id,
      CASE WHEN i % 2 = 0 THEN i / 2 / ${LARGE_ACCOUNTS} ELSE i / 2 / ${others} END AS ordinal,
      CASE WHEN i % 1000000 = 17 THEN 4 WHEN i / 40 % 100 = 50 THEN 3 WHEN i / 40 % 10 = 3 THEN 2
        WHEN i / 40 % 20 = 7 THEN 1 ELSE 0 END AS model,
      CASE i / 280 % 5 WHEN 0 THEN '26201' WHEN 1 THEN '26202' WHEN 2 THEN '24701' WHEN 3 THEN '20801' ELSE '26001' END AS operator,
      CASE i / 280 % 5 WHEN 2 THEN 'LV' WHEN 3 THEN 'FR' WHEN 4 THEN 'PL' ELSE 'DE' END AS country,
      CASE i / 280 % 5 WHEN 2 THEN '371' WHEN 3 THEN '33' WHEN 4 THEN '48' ELSE '49151' END
        || (20000000 + i * 7919 % 9999991) AS phone,
      CASE WHEN i % 1000000 = 18 THEN '${RARE_SENDER}' ELSE 'Sender' || (i / 40 % 3) END AS sender,
      'sms-' || (1 + i / 120 % ${GROWN_CARRIERS}) AS carrier,
      CASE WHEN i % 3 = 0 THEN NULL ELSE '"order-' || (i * 2654435761 % 4294967296) || '"' END AS client_id,
      'delivered ' || (4 + i / 40 % 4) AS delivered
    FROM (${database.numbers(from, through)}) AS numbers) AS counted`
}

/** Values of columns that differ from those of the model. */
function cellsOf({ isPostgres }: GrownDatabase, { modelAt, modelCarrier }: Growth): Readonly<Record<string, string>> {
  const copied = (...names: readonly string[]) => names.map((name) => [name, `chunk.${name}`])
  const moment = (name: string) => [name, `chunk.at + each.${name} - ${modelAt}`]
  return Object.fromEntries([
    ...copied('msg_id', 'bucket', 'account_id', 'phone', 'client_id'),
    ...['at', 'created_at', 'tried_at'].map(moment),
    ['operator', 'CASE WHEN each.operator IS NULL THEN NULL ELSE chunk.operator END'],
    ['carrier_id', `CASE each.carrier_id WHEN '${modelCarrier}' THEN chunk.carrier ELSE each.carrier_id END`],
    ['plan', `replace(each.plan, '"Posthorn"', '"' || chunk.sender || '"')`],
    ['journey', `replace(each.journey, '"${modelCarrier}"', '"' || chunk.carrier || '"')`],
    // The first posting of an account is its top-up. SQLite numbers those of all accounts together.
    ['posting_id', isPostgres ? 'chunk.ordinal * 2 + 1 + each.number' : 'NULL'],
    ['ref', `(chunk.i * 2654435761 % 4294967296) || '-' || chunk.i`],
  ])
}

async function copies(database: GrownDatabase, growth: Growth): Promise<readonly string[]> {
  return Promise.all(COPIED.map((table) => copying(database, growth, table, 'grown_chunk')))
}

async function copying(database: GrownDatabase, growth: Growth, table: string, from: string): Promise<string> {
  const cells = cellsOf(database, growth)
  const columns = await database.columnsOf(table)
  const read = columns.map((name) => cells[name] ?? `each.${name}`)
  return `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${read.join(', ')}
    FROM ${from} AS chunk JOIN grown_${table} AS each ON each.model = chunk.model ORDER BY chunk.i`
}

const TOTAL_KEY =
  'level, slot, account_id, event, channel, carrier_id, operator, country, sender, currency, cost_currency'

function totals(database: GrownDatabase, growth: Growth): readonly string[] {
  const { isPostgres } = database
  const bucket = isPostgres ? 'bucket, ' : ''
  const key = `${bucket}${TOTAL_KEY}`
  const counted = (name: string) => `CASE each.channel WHEN '' THEN '' ELSE ${name} END`
  const carrier = `CASE each.carrier_id WHEN '${growth.modelCarrier}' THEN chunk.carrier ELSE each.carrier_id END`
  const level = (number: number, slot: string, account: string, sender: string, ofBucket = 'chunk.bucket') => {
    const cells = [
      ...[
        `${number}`,
        slot,
        account,
        `CASE WHEN each.event LIKE 'delivered%' THEN chunk.delivered ELSE each.event END`,
      ],
      ...['each.channel', carrier, counted('chunk.operator'), counted('chunk.country'), sender],
      ...['each.currency', 'each.cost_currency'],
    ]
    const first = isPostgres ? [ofBucket] : []
    const groups = [...first, ...cells].map((_, index) => index + 1)
    return `INSERT INTO message_total (${key}, parts, price_micros, cost_micros, messages)
      SELECT ${[...first, ...cells].join(', ')}, sum(each.parts), sum(each.price_micros), sum(each.cost_micros), count(*)
      FROM grown_chunk AS chunk JOIN grown_message_total AS each ON each.model = chunk.model
      WHERE true GROUP BY ${groups.join(', ')}
      ON CONFLICT (${key}) DO UPDATE SET parts = message_total.parts + excluded.parts,
        price_micros = message_total.price_micros + excluded.price_micros,
        cost_micros = message_total.cost_micros + excluded.cost_micros,
        messages = message_total.messages + excluded.messages`
  }
  const [hour, day] = ['chunk.at / 3600000', 'chunk.at / 86400000 * 24']
  const sender = counted('chunk.sender')
  return [
    level(1, hour, 'chunk.account_id', sender),
    level(2, day, 'chunk.account_id', sender),
    level(3, hour, '0', `''`, '0'),
    level(4, day, '0', `''`, '0'),
    postingTotals(bucket, growth),
  ]
}

/** Of charges: those of messages that are not delivered are released. */
function postingTotals(bucket: string, { modelCarrier }: Growth): string {
  const key = `${bucket}account_id, month, kind, channel, operator, carrier_id, cost_currency`
  const carrier = `CASE each.carrier_id WHEN '${modelCarrier}' THEN chunk.carrier ELSE each.carrier_id END`
  return `INSERT INTO posting_total (${key}, postings, parts, amount_micros, cost_micros)
    SELECT ${bucket === '' ? '' : 'chunk.bucket,'} chunk.account_id, ${bucket === '' ? MONTH.sqlite : MONTH.postgres}, each.kind,
      each.channel, chunk.operator, ${carrier}, coalesce(each.cost_currency, ''),
      count(*), sum(each.parts), sum(each.amount_micros), coalesce(sum(each.cost_micros), 0)
    FROM grown_chunk AS chunk JOIN grown_posting AS each ON each.model = chunk.model AND each.kind = 'charge'
    GROUP BY ${Array.from({ length: bucket === '' ? 7 : 8 }, (_, index) => index + 1).join(', ')}
    ON CONFLICT (${key}) DO UPDATE SET postings = posting_total.postings + excluded.postings,
      parts = posting_total.parts + excluded.parts, amount_micros = posting_total.amount_micros + excluded.amount_micros,
      cost_micros = posting_total.cost_micros + excluded.cost_micros`
}

const MONTH = {
  sqlite: "CAST(strftime('%Y%m', chunk.at / 1000, 'unixepoch') AS INTEGER)",
  postgres: "to_char(to_timestamp(chunk.at / 1000.0) AT TIME ZONE 'UTC', 'YYYYMM')::integer",
} as const

/** Carriers' ids have no order: all at once, so that each page of their index is written once. */
function partRefs(database: GrownDatabase, growth: Growth): string {
  const cells = cellsOf(database, growth)
  const columns = ['msg_id', 'step', 'part', 'carrier_id', 'ref', ...(database.isPostgres ? ['bucket'] : [])]
  const read = columns.map((name) => `${cells[name] ?? `each.${name}`} AS ${name}`)
  return `INSERT INTO part_ref (${columns.join(', ')}) SELECT ${read.join(', ')}
    FROM (${messagesOf(database, growth, 0, growth.messages - 1)}) AS chunk
    JOIN grown_part_ref AS each ON each.model = chunk.model ORDER BY 4, 5`
}

function balances({ isPostgres }: GrownDatabase, { firstAccount }: Growth): string {
  const charged = `SELECT account_id, sum(amount_micros) AS micros FROM posting_total
    WHERE kind = 'charge' AND account_id >= ${firstAccount} GROUP BY account_id`
  const update = `UPDATE account_balance SET available = available - micros, earned = earned + micros
    FROM (${charged}) AS charged WHERE charged.account_id = account_balance.account_id`
  if (!isPostgres) return update
  return `${update}; UPDATE account_balance SET postings = last FROM
    (SELECT account_id, max(posting_id) AS last FROM posting GROUP BY account_id) AS numbered
    WHERE numbered.account_id = account_balance.account_id AND account_balance.account_id >= ${firstAccount}`
}
