/** The mark of a move in this database. */
import { MARK_COLUMNS, type MarkRow, type MoveMark, type MovePlace, markRow, readMark } from '../../move/mark.ts'
import type { Connection } from '../connection/connection.ts'
import { rare } from '../connection/statement.ts'

const FIND = rare<MarkRow>(`SELECT ${MARK_COLUMNS} FROM moving`)
/** Nodes that start here take the same lock first. */
const LOCK_META = rare('SELECT 1 FROM meta FOR UPDATE')
const ANY_NODE = rare('SELECT 1 FROM node LIMIT 1')
const DROP = rare('DELETE FROM moving')
const SET = rare(`INSERT INTO moving (one, ${MARK_COLUMNS}) VALUES (1, $1, $2, $3, $4)`)
const KEEP_PLACE = rare('UPDATE moving SET place = $1')

export async function findMark(connection: Connection): Promise<MoveMark | null> {
  return readMark((await connection.query(FIND))[0])
}

/** Returns whether it was set: not while a node works here. */
export async function setMark(connection: Connection, mark: MoveMark | null): Promise<boolean> {
  await connection.run('BEGIN')
  try {
    await connection.query(LOCK_META)
    const isFree = (await connection.query(ANY_NODE)).length === 0
    if (isFree) {
      await connection.query(DROP)
      if (mark !== null) await connection.query(SET, ...markRow(mark))
    }
    await connection.run('COMMIT')
    return isFree
  } catch (error) {
    await connection.run('ROLLBACK').catch(() => {})
    throw error
  }
}

export async function keepPlace(connection: Connection, place: MovePlace): Promise<void> {
  await connection.query(KEEP_PLACE, JSON.stringify(place))
}
