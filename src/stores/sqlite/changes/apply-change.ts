/** Makes operator changes: runs their rules (stores/changes) on SQLite. */
import type { ChangeRecord } from '../../../ports/changes/change-record.ts'
import { applyChange as changeRule, type StoreChange } from '../../changes/apply-change.ts'
import type { RowAnswer, RowStep, Rule } from '../../changes/row-step.ts'
import { findSql, insertSql, putSql, removeSql, type StepSql, updateSql } from '../../changes/step-sql.ts'
import { writeSealingKey } from '../../commands/installation/sealing-key.ts'
import { resendReports, tryHook } from '../../commands/reports/resend-reports.ts'
import type { Row } from '../../rows/cells/cell.ts'
import { chooseKey } from '../../vault/open-vault.ts'
import type { Session } from '../session/session.ts'
import { commandRunner } from '../statement/run-command.ts'
import { SqlStatement } from '../statement/statement.ts'
import { type PackedChange, unpackChange } from './pack-change.ts'

/**
 * Returns the id of a created account or another result of the change, otherwise null. Throws a ChangeRefused, and then
 * nothing of the change remains.
 */
export function applyChange(session: Session): (packed: PackedChange, record: ChangeRecord | null) => number | null {
  const { database, ledger } = session
  const steps = new StepRunner(session)
  const run = commandRunner(session)
  const make = (change: StoreChange) => {
    if (change.kind === 'try hook') return run(tryHook(change))
    if (change.kind === 'resend reports') return run(resendReports(change))
    chooseKey(session.vault, change.keyId)
    run(writeSealingKey(change.keyId))
    return null
  }
  return (packed, record) => {
    const change = unpackChange(packed)
    database.exec('SAVEPOINT change')
    try {
      const answer = steps.run(changeRule({ change, record }, session))
      return typeof answer === 'object' && answer !== null ? make(answer) : answer
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK TO change')
      ledger.forget()
      throw error
    } finally {
      if (database.isTransaction) database.exec('RELEASE change')
    }
  }
}

class StepRunner {
  readonly #session: Session
  /** Some changes have tens of thousands of steps. */
  readonly #statements = new Map<string, SqlStatement>()

  constructor(session: Session) {
    this.#session = session
  }

  run<T>(rule: Rule<T>): T {
    let next = rule.next()
    while (next.done !== true) next = rule.next(this.#answer(next.value))
    return next.value
  }

  #answer(step: RowStep): RowAnswer {
    const { ledger } = this.#session
    switch (step.step) {
      case 'put':
        this.#runEach(step.rows, (row) => putSql(step.table, row))
        return {}
      case 'find': {
        const [first = {}] = step.where
        const statement = this.#prepared(findSql(step, first))
        return { rows: step.where.flatMap((where) => statement.all(...Object.values(where))) }
      }
      case 'insert': {
        const sql = insertSql(step)
        return { rows: this.#prepared(sql).all(...sql.values) }
      }
      case 'update': {
        const sql = updateSql(step)
        return { count: this.#prepared(sql).change(...sql.values) }
      }
      case 'remove':
        return { count: this.#runEach(step.where, (where) => removeSql(step, where)) }
      case 'read balance':
        return { balance: ledger.balanceOf(step.accountId) }
      case 'set limits':
        ledger.setLimits(step.accountId, step.limits)
        return {}
      case 'pay':
        ledger.pay(step.payment)
        return {}
      case 'pause':
        return {}
    }
  }

  /** Runs one statement for rows with the same columns. Returns how many rows were changed. */
  #runEach(rows: readonly Row[], sqlOf: (row: Row) => StepSql): number {
    const [first] = rows
    if (first === undefined) return 0
    const statement = this.#prepared(sqlOf(first))
    return rows.reduce((count, row) => count + statement.change(...Object.values(row)), 0)
  }

  #prepared({ text }: StepSql): SqlStatement {
    const statement = this.#statements.get(text) ?? new SqlStatement(this.#session.database, text)
    this.#statements.set(text, statement)
    return statement
  }
}
