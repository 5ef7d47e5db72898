/** `posthorn init`: creates an installation. All other commands require one. */
import type { Command } from 'commander'
import { createInstallation, placeOfData } from '../../app/installation/installation.ts'
import { describeMigration } from '../../app/log/describe-migration.ts'
import type { Migration } from '../../ports/records/migration.ts'
import { answerBy, INSTALLATION_SETTINGS, newCommand } from '../command/command.ts'
import type { Terminal } from '../command/terminal.ts'

export function initCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'init',
    summary:
      'create an installation: the data folder, the secret key and the database; one that exists is only migrated if it is older',
    examples: [
      'posthorn init --data-dir /var/lib/posthorn',
      'posthorn init --database postgres://posthorn@db.example.net/posthorn',
    ],
    settings: INSTALLATION_SETTINGS,
  })
  return answerBy(command, terminal, async (_options, config) => {
    let migrated: Pick<Migration, 'from' | 'to'> | null = null
    const onMigration = describeMigration(terminal.clock, (line, { state, from, to }) => {
      if (state === 'ended') migrated = { from, to }
      terminal.err(`${line}\n`)
    })
    const created = await createInstallation(config, onMigration)
    const place = placeOfData(config)
    const found = migrated === null ? 'Nothing changed.' : 'Its database was migrated to this version.'
    return {
      json: { created, place, migrated },
      text: created
        ? `Installation created in ${place}. Next: posthorn account create`
        : `An installation exists in ${place}. ${found}`,
    }
  })
}
