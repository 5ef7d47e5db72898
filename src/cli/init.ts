/** `posthorn init`: creates an installation. All other commands require one. */
import type { Command } from 'commander'
import { createInstallation, placeOfData } from '../app/installation.ts'
import { answerBy, INSTALLATION, newCommand } from './command.ts'
import type { Terminal } from './terminal.ts'

export function initCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'init',
    summary: 'create an installation: the data folder, the secret key and the database; does nothing if it exists',
    examples: [
      'posthorn init --data-dir /var/lib/posthorn',
      'posthorn init --database postgres://posthorn@db.example.net/posthorn',
    ],
    settings: INSTALLATION,
  })
  return answerBy(command, terminal, async (_options, config) => {
    const created = await createInstallation(config)
    const place = placeOfData(config)
    return {
      json: { created, place },
      text: created
        ? `Installation created in ${place}. Next: posthorn account create`
        : `An installation exists in ${place}. Nothing changed.`,
    }
  })
}
