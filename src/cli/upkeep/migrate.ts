/** `posthorn migrate`: migrates the database to this version, for installations whose gateways may not do it. */
import type { Command } from 'commander'
import { migrateInstallation, placeOfData, schemaVersion } from '../../app/installation/installation.ts'
import { describeMigration } from '../../app/log/describe-migration.ts'
import type { Migration } from '../../ports/records/migration.ts'
import { answerBy, INSTALLATION_SETTINGS, newCommand } from '../command/command.ts'
import { WrongUsage } from '../command/failure.ts'
import type { Terminal } from '../command/terminal.ts'

export function migrateCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'migrate',
    summary: 'migrate the database to this version; a gateway does so when it starts, if it may change tables',
    examples: ['posthorn migrate', 'posthorn migrate --database postgres://owner@db.example.net/posthorn --citus'],
    settings: INSTALLATION_SETTINGS,
  }).option('--citus', 'also distribute the tables over the servers of a Citus cluster')
  return answerBy<{ readonly citus?: true }>(command, terminal, async ({ citus = false }, config) => {
    if (citus && config.database === null) throw new WrongUsage('--citus: needs --database')
    const done: Migration[] = []
    const onMigration = describeMigration(terminal.clock, (line, migration) => {
      if (migration.state === 'ended') done.push(migration)
      terminal.err(`${line}\n`)
    })
    const distributed = await migrateInstallation(config, citus, onMigration)
    const [migrated] = done.map(({ from, to }) => ({ from, to }))
    const what =
      migrated === undefined
        ? `is up to date: schema version ${schemaVersion(config)}`
        : `was migrated from version ${migrated.from} to ${migrated.to}`
    const spread = citus ? ` Tables distributed: ${distributed.length}.` : ''
    return { json: { migrated: migrated ?? null, distributed }, text: `${placeOfData(config)} ${what}.${spread}` }
  })
}
