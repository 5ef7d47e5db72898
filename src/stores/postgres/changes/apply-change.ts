/** Makes operator changes: runs their rules (stores/changes) on PostgreSQL. */
import { createHash } from 'node:crypto'
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { bucketOf } from '../../../domain/ids/message-id.ts'
import type { ChangeRecord } from '../../../ports/changes/change-record.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { Change } from '../../../ports/stores/setup-store.ts'
import { nextTurn } from '../../../ports/system/slices.ts'
import { applyChange, type StoreChange } from '../../changes/apply-change.ts'
import type { RowAnswer, RowStep, Rule } from '../../changes/row-step.ts'
import {
  columnList,
  findSql,
  insertSql,
  onConflict,
  putSql,
  removeSql,
  type StepSql,
  selectSql,
  updateSql,
} from '../../changes/step-sql.ts'
import { writeSealingKey } from '../../commands/installation/sealing-key.ts'
import { resendReports, tryHook } from '../../commands/reports/resend-reports.ts'
import type { Row } from '../../rows/cells/cell.ts'
import { chooseKey } from '../../vault/open-vault.ts'
import type { QueryResult } from '../connection/connection.ts'
import { rare, type SqlStatement } from '../connection/statement.ts'
import { runCommand } from '../session/run-command.ts'
import type { Session } from '../session/session.ts'
import { lockRevision } from './load-directory.ts'

export interface ChangeOrder {
  readonly change: Change
  readonly record: ChangeRecord | null
}

/**
 * Returns, for each change, the id of a created account or another result, otherwise null; or a ChangeRefused, after
 * which nothing of that change remains. Changes are serialized over all nodes.
 */
export async function applyChanges(
  session: Session,
  orders: readonly ChangeOrder[],
): Promise<readonly (number | null | ChangeRefused)[]> {
  await lockRevision(session)
  const answers: Answer[] = []
  for (const run of runsOf(orders)) answers.push(...(await applyRun(session, run)))
  return answers
}

type Answer = number | null | ChangeRefused

/** Changes of opt-outs that follow one another, of any number of inbound messages, or another change. */
type Run = readonly [ChangeOrder, ...ChangeOrder[]]

function runsOf(orders: readonly ChangeOrder[]): readonly Run[] {
  const runs: [ChangeOrder, ...ChangeOrder[]][] = []
  for (const order of orders) {
    const last = runs.at(-1)
    if (last !== undefined && isOfOptOuts(last[0]) && isOfOptOuts(order)) last.push(order)
    else runs.push([order])
  }
  return runs
}

function isOfOptOuts({ change, record }: ChangeOrder): boolean {
  return change.kind === 'change opt-outs' && record === null
}

/** Makes the changes of a run as one; if that is refused, each on its own. */
async function applyRun(session: Session, run: Run): Promise<readonly Answer[]> {
  if (run.length > 1) {
    const changes = run.flatMap(({ change }) => (change.kind === 'change opt-outs' ? change.changes : []))
    const answer = await applyOne(session, { change: { kind: 'change opt-outs', changes }, record: null })
    if (answer === null) return run.map(() => null)
  }
  const answers: Answer[] = []
  for (const order of run) answers.push(await applyOne(session, order))
  return answers
}

async function applyOne(session: Session, order: ChangeOrder): Promise<Answer> {
  try {
    await session.run('SAVEPOINT change')
    const answer = await runRule(session, applyChange(order, tools(session)))
    const result = typeof answer === 'object' && answer !== null ? await make(session, answer) : answer
    await session.run('RELEASE SAVEPOINT change')
    return result
  } catch (error) {
    if (!(error instanceof ChangeRefused)) throw error
    await session.run('ROLLBACK TO SAVEPOINT change')
    return error
  }
}

function tools(session: Session) {
  return { vault: session.vault, hashPhone: (phone: string) => session.hashPhone(phone) }
}

/** Waits for transactions in progress on all nodes: every node seals with this key from its next transaction on. */
const LEASES_SEAL_WITH = rare('UPDATE lease SET sealing_key = $1')

async function make(session: Session, change: StoreChange): Promise<number | null> {
  if (change.kind === 'try hook') return runCommand(session, tryHook(change))
  if (change.kind === 'resend reports') return runCommand(session, resendReports(change))
  chooseKey(session.vault, change.keyId)
  await runCommand(session, writeSealingKey(change.keyId))
  await session.query(LEASES_SEAL_WITH, change.keyId)
  return null
}

async function runRule<T>(session: Session, rule: Rule<T>): Promise<T> {
  let next = rule.next()
  while (next.done !== true) {
    next = rule.next(await answer(session, withHiddenColumns(next.value)))
    session.onProgress()
  }
  return next.value
}

async function answer(session: Session, step: RowStep): Promise<RowAnswer> {
  const { ledger } = session
  switch (step.step) {
    case 'put':
      await put(session, step.table, step.rows)
      return {}
    case 'find':
      return matched(session, step, { each: (where) => findSql(step, where), all: selectSql(step) })
    case 'remove':
      return matched(session, step, { each: (where) => removeSql(step, where), all: `DELETE FROM ${step.table}` })
    case 'insert':
      return execute(session, insertSql(step))
    case 'update':
      return execute(session, updateSql(step))
    case 'read balance':
      await ledger.lock([step.accountId])
      return { balance: ledger.balanceOf(step.accountId) }
    case 'set limits':
      ledger.setLimits(step.accountId, step.limits)
      return {}
    case 'pay':
      ledger.pay(step.payment)
      return {}
    case 'pause':
      await nextTurn()
      return {}
  }
}

/** Writes many rows with one statement. */
async function put(session: Session, table: string, rows: readonly Row[]): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  if (rows.length === 1) {
    await execute(session, putSql(table, first))
    return
  }
  const text = `INSERT INTO ${table} (${columnList(first)}) ${selectRows(table, first)}${onConflict(table, first)}`
  await execute(session, { text, values: [JSON.stringify(rows)] })
}

/** For the rows with the values of one of `where`: with one statement for all of them, if no value is NULL. */
async function matched(
  session: Session,
  step: { readonly table: string; readonly where: readonly Row[] },
  { each, all }: { readonly each: (where: Row) => StepSql; readonly all: string },
): Promise<RowAnswer> {
  const { where } = step
  const hasNull = where.some((row) => Object.values(row).includes(null))
  if (where.length > 1 && !hasNull) return execute(session, amongSql(all, step))
  const answers: RowAnswer[] = []
  for (const row of where) answers.push(await execute(session, each(row)))
  return {
    rows: answers.flatMap(({ rows = [] }) => rows),
    count: answers.reduce((sum, { count = 0 }) => sum + count, 0),
  }
}

/** For the rows with the values of one of `where`, which has several without NULL. */
function amongSql(sql: string, { table, where }: { readonly table: string; readonly where: readonly Row[] }): StepSql {
  const [first = {}] = where
  return {
    text: `${sql} WHERE (${columnList(first)}) IN (${selectRows(table, first)})`,
    values: [JSON.stringify(where)],
  }
}

/** Reads rows from a parameter. */
function selectRows(table: string, first: Row): string {
  return `SELECT ${columnList(first)} FROM jsonb_populate_recordset(NULL::${table}, ?::jsonb)`
}

const statements = new Map<string, SqlStatement>()

function execute(
  session: Session,
  { text, values }: StepSql,
): Promise<QueryResult<readonly (string | number | null)[]>> {
  let place = 0
  const numbered = text.replace(/\?/g, () => `$${++place}`)
  const statement = statements.get(numbered) ?? rare(numbered)
  statements.set(numbered, statement)
  return session.execute(statement, ...values) as Promise<QueryResult<readonly (string | number | null)[]>>
}

/** Adds columns unknown to the rules: the distribution column, and keys for values too long for an index. */
function withHiddenColumns(step: RowStep): RowStep {
  if (!('table' in step)) return step
  const { table } = step
  switch (step.step) {
    case 'put':
      return { ...step, rows: step.rows.map((row) => ({ ...row, ...hidden(table, row), ...defaults(table) })) }
    case 'insert':
      return { ...step, row: { ...step.row, ...hidden(table, step.row) } }
    case 'update':
      return { ...step, where: { ...step.where, ...hidden(table, step.where) } }
    default:
      return { ...step, where: step.where.map((row) => ({ ...row, ...hidden(table, row) })) }
  }
}

const IN_BUCKETS: ReadonlySet<string> = new Set(['account_balance', 'opt_out', 'posting'])

function hidden(table: string, row: Row): Row {
  if (IN_BUCKETS.has(table)) return { bucket: bucketOf(Number(row['account_id']) as AccountId) }
  if (table !== 'stopped_hook') return {}
  return { hash: createHash('md5').update(String(row['address'])).digest('hex') }
}

function defaults(table: string): Row {
  return table === 'account_balance' ? { postings: 0 } : {}
}
