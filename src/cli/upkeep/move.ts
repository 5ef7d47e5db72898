/** `posthorn move`: moves a stopped installation from a file to a PostgreSQL database, or back. */
import type { Command } from 'commander'
import { moveInstallation, type UndoOptions, undoMoveOf } from '../../app/installation/move-installation.ts'
import type { Config } from '../../app/settings/config.ts'
import { type Answer, answerBy, newCommand } from '../command/command.ts'
import { CannotDo, WrongUsage } from '../command/failure.ts'
import { Progress } from '../command/progress.ts'
import type { Terminal } from '../command/terminal.ts'

interface MoveFlags {
  readonly from: string
  readonly to?: string
  readonly undo?: true
  readonly yes?: true
}

export function moveCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'move',
    summary:
      'move a stopped installation from a data folder to an empty PostgreSQL database, or back; run it again to resume. ' +
      'The source is kept and locked until --undo',
    examples: [
      'posthorn move --from ./data --to postgres://posthorn@db.example.net/posthorn',
      'posthorn move --from postgres://posthorn@db.example.net/posthorn --to ./data-back',
      'posthorn move --undo --from ./data --to postgres://posthorn@db.example.net/posthorn',
    ],
    settings: ['secret-key-file'],
  })
    .requiredOption('--from <place>', 'source: data folder or address of a database')
    .option('--to <place>', 'destination: data folder or address of a database')
    .option('--undo', 'undo a move: unlock the source in --from and lock the copy in --to, on which nothing may run')
    .option('--yes', 'undo even if the copy cannot be checked, or was used since')
  return answerBy<MoveFlags>(command, terminal, async ({ from, to, undo, yes }, config) => {
    if (undo === true) return undoIt({ from, to, isConfirmed: yes === true })
    if (to === undefined) throw new WrongUsage('--to or --undo: one of them is required')
    if (yes === true) throw new WrongUsage('--yes: only with --undo')
    return moveIt(terminal, config, { from, to })
  })
}

async function moveIt(terminal: Terminal, config: Config, places: { from: string; to: string }): Promise<Answer> {
  const progress = new Progress(terminal)
  const begunAt = terminal.clock.monotonic()
  let isStopped = false
  void terminal.untilStopped().then(() => {
    isStopped = true
  })
  const onProgress = ({ doing, rows, of }: { doing: string; rows: number; of: number }) => {
    // Stops between two batches: releases both ends in order, so that a repeat finds them free.
    if (isStopped) throw new CannotDo('interrupted: run the same command again to resume')
    progress.report(doing, rows, of)
  }
  const moved = await moveInstallation(config, { ...places, random: terminal.random, onProgress }).finally(() =>
    progress.end(),
  )
  const seconds = (terminal.clock.monotonic() - begunAt) / 1_000
  const { rows, tables, openMessages, pendingReports } = moved
  const all = tables.reduce((sum, table) => sum + table.rows, 0)
  const went = rows === all ? `${all} rows` : `the last ${rows} of ${all} rows`
  return {
    json: { rows, seconds, openMessages, pendingReports, tables },
    text: [
      `Moved ${went} of ${tables.length} tables in ${seconds.toFixed(1)} seconds.`,
      `Verified: all rows copied, ledger without discrepancies. Open messages: ${openMessages}, pending reports: ${pendingReports}.`,
      'Start the gateway on the destination with the same keys. The source is unchanged and locked.',
    ].join('\n'),
  }
}

async function undoIt(options: UndoOptions): Promise<Answer> {
  const other = await undoMoveOf(options)
  return {
    json: { movedTo: other },
    text: `Gateways can run here again. Do not use the copy in ${other}: it would send the same messages.`,
  }
}
