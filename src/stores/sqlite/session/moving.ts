/** The mark of a move in this database. */
import type { DatabaseSync } from 'node:sqlite'
import { MARK_COLUMNS, type MoveMark, type MovePlace, markRow, readMark } from '../../move/mark.ts'
import { SqlStatement } from '../statement/statement.ts'

export function findMark(database: DatabaseSync): MoveMark | null {
  return readMark(new SqlStatement(database, `SELECT ${MARK_COLUMNS} FROM moving`).first())
}

export function setMark(database: DatabaseSync, mark: MoveMark | null): void {
  if (mark === null) new SqlStatement(database, 'DELETE FROM moving').run()
  else
    new SqlStatement(database, `INSERT OR REPLACE INTO moving (one, ${MARK_COLUMNS}) VALUES (1, ?, ?, ?, ?)`).run(
      ...markRow(mark),
    )
}

export function keepPlace(database: DatabaseSync): (place: MovePlace) => void {
  const update = new SqlStatement(database, 'UPDATE moving SET place = ?')
  return (place) => void update.run(JSON.stringify(place))
}
