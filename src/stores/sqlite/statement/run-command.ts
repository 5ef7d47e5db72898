/** Runs commands (stores/commands) on SQLite, synchronously. */

import type { DatabaseSync } from 'node:sqlite'
import type { Vault } from '../../../ports/system/vault.ts'
import type { Command, CommandStep, Query } from '../../commands/statement/command.ts'
import { openCells, sealCells } from '../../commands/statement/seals.ts'
import type { Sql } from '../../commands/statement/sql.ts'
import { toCell } from '../../rows/cells/cell.ts'
import { idsOfForms } from './id-ranges.ts'
import { SqlStatement } from './statement.ts'

export type RunCommand = <T>(command: Command<T>) => T

/** Returns the runner of one opening of the database. */
export function commandRunner({
  database,
  vault,
}: {
  readonly database: DatabaseSync
  readonly vault: Vault
}): RunCommand {
  const statements = new Map<Sql, SqlStatement>()
  const prepared = (sql: Sql) => {
    const statement = statements.get(sql) ?? new SqlStatement(database, textOf(sql))
    statements.set(sql, statement)
    return statement
  }
  const cellsOf = ({ sql, values }: Query) => sealCells(vault, sql.seals, values).map(toCell)
  const answer = (step: CommandStep): unknown => {
    switch (step.kind) {
      case 'own':
        return step.work()
      case 'read':
        return step.queries.map((query) =>
          prepared(query.sql)
            .all(...cellsOf(query))
            .map((row) => openCells(vault, query.sql.opens, row)),
        )
      case 'write':
        for (const query of step.queries) prepared(query.sql).run(...cellsOf(query))
        return null
      case 'change':
        return step.queries.map((query) => prepared(query.sql).change(...cellsOf(query)))
    }
  }
  return (command) => {
    let next = command.next()
    while (next.done !== true) next = command.next(answer(next.value))
    return next.value
  }
}

/** As in the indexes. */
const HOOK = `substr(address, 1, instr(address || '?', '?') - 1)`
const CLIENT_HOOKS = `(SELECT account_id, hook.value ->> 'id' FROM account_hooks, json_each(hooks, '$.hooks') AS hook)`

/** A file is one bucket, and one transaction writes at a time. */
function textOf({ text }: Sql): string {
  return text
    .replace(/\{any \w+\}/g, 'IN (SELECT value FROM json_each(?))')
    .replaceAll('{to phones}', `message.msg_id IN ${idsOfForms('?')}`)
    .replaceAll('{to hook}', `${HOOK} = ?`)
    .replaceAll('{hook}', HOOK)
    .replaceAll('{client hooks}', CLIENT_HOOKS)
    .replaceAll('{buckets}', '? IS NOT NULL AND')
    .replace(/\{[^}]*\} ?/g, '')
}
