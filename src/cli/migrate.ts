/** `posthorn migrate`: migrates the database to this version, for installations whose gateways may not do it. */
import type { Command } from 'commander'
import { migrateInstallation, placeOfData } from '../app/installation.ts'
import { answerBy, INSTALLATION, newCommand } from './command.ts'
import { WrongUsage } from './failure.ts'
import type { Terminal } from './terminal.ts'

export function migrateCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'migrate',
    summary: 'migrate the database to this version; a gateway does so when it starts, if it may change tables',
    examples: ['posthorn migrate', 'posthorn migrate --database postgres://owner@db.example.net/posthorn --citus'],
    settings: INSTALLATION,
  }).option('--citus', 'also distribute the tables over the servers of a Citus cluster')
  return answerBy<{ readonly citus?: true }>(command, terminal, async ({ citus = false }, config) => {
    if (citus && config.database === null) throw new WrongUsage('--citus: needs --database')
    const distributed = await migrateInstallation(config, citus)
    const spread = citus ? ` Tables distributed: ${distributed.length}.` : ''
    return { json: { distributed }, text: `${placeOfData(config)} is up to date.${spread}` }
  })
}
