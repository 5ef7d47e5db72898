/** `posthorn backup`: copies the database as of now, even while a gateway runs on it. */
import { resolve } from 'node:path'
import { Argument, type Command } from 'commander'
import { backUpInstallation, keySourceOf } from '../../app/installation/installation.ts'
import type { Config } from '../../app/settings/config.ts'
import { keyPlace } from '../../stores/vault/key-ring.ts'
import { answerBy, newCommand } from '../command/command.ts'
import { refuseServer } from '../command/only-here.ts'
import type { Terminal } from '../command/terminal.ts'

const MEGABYTE = 1_000_000

export function backupCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'backup',
    summary:
      'copy the SQLite database to a new file, also while the gateway runs; the secret key is not included. Back up ' +
      'PostgreSQL with its own tools',
    examples: ['posthorn backup /backup/posthorn-2026-11-21.db'],
    settings: ['data-dir', 'database', 'secret-key-file'],
  }).addArgument(new Argument('<file>', 'path of the copy, which must not exist yet'))
  return answerBy(command, terminal, async (_options, config, words) => {
    refuseServer(config)
    const file = resolve(String(words[0]))
    const begunAt = terminal.clock.monotonic()
    const bytes = await backUpInstallation(config, file)
    const seconds = (terminal.clock.monotonic() - begunAt) / 1_000
    return {
      json: { file, bytes, seconds, keys: keyPlace(keySourceOf(config)) },
      text:
        `${file}: ${(bytes / MEGABYTE).toFixed(1)} MB in ${seconds.toFixed(1)} seconds, readable by its owner only.\n` +
        `It opens only with the keys ${whereAre(config)}, which it does not contain: keep a copy of them in another, secret place.`,
    }
  })
}

function whereAre(config: Config): string {
  const keys = keySourceOf(config)
  return `${keys.kind === 'file' ? 'in' : 'of'} ${keyPlace(keys)}`
}
