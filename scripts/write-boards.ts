/**
 * Writes the boards of deploy/grafana/boards from scripts/boards. A test holds them equal.
 *
 *   node scripts/write-boards.ts
 */
import { writeFileSync } from 'node:fs'
import { BOARDS } from './boards/boards.ts'
import { writeBoard } from './boards/write-board.ts'

for (const board of BOARDS) {
  writeFileSync(`deploy/grafana/boards/${board.name}.json`, `${JSON.stringify(writeBoard(board), null, 2)}\n`)
}
