/** Makes operator changes: runs their rules (stores/changes) on SQLite. */
import type { ChangeRecord } from '../../../ports/changes/change-record.ts'
import { applyChange as changeRule, type StoreChange } from '../../changes/apply-change.ts'
import type { RowAnswer, RowStep, Rule } from '../../changes/row-step.ts'
import { findSql, insertSql, putSql, removeSql, type StepSql, updateSql } from '../../changes/step-sql.ts'
import { writeSealingKey } from '../../commands/installation/sealing-key.ts'
import { resendReports, tryHook } from '../../commands/reports/resend-reports.ts'
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
        this.#put(step)
        return {}
      case 'find':
        return { rows: step.where.flatMap((where) => this.#all(findSql(step, where))) }
      case 'insert':
        return { rows: this.#all(insertSql(step)) }
      case 'update':
        return { count: this.#change(updateSql(step)) }
      case 'remove':
        return { count: step.where.reduce((count, where) => count + this.#change(removeSql(step, where)), 0) }
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

  /** Runs one statement: the rows have the same columns. */
  #put({ table, rows }: Extract<RowStep, { step: 'put' }>): void {
    const [first] = rows
    if (first === undefined) return
    const statement = this.#prepared(putSql(table, first))
    for (const row of rows) statement.change(...Object.values(row))
  }

  #all(sql: StepSql) {
    return this.#prepared(sql).all(...sql.values)
  }

  /** Returns how many rows were changed. */
  #change(sql: StepSql): number {
    return this.#prepared(sql).change(...sql.values)
  }

  #prepared({ text }: StepSql): SqlStatement {
    const statement = this.#statements.get(text) ?? new SqlStatement(this.#session.database, text)
    this.#statements.set(text, statement)
    return statement
  }
}
