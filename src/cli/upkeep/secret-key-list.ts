/**
 * `posthorn secret-key list`: lists the names of the keys that seal texts and secrets, and how much each still seals.
 */
import type { Command } from 'commander'
import { keySourceOf } from '../../app/installation/installation.ts'
import { UNNAMED_KEY } from '../../ports/records/sealing.ts'
import { readKeys } from '../../stores/vault/key-ring.ts'
import { answerBy, INSTALLATION_SETTINGS, newCommand } from '../command/command.ts'
import type { Terminal } from '../command/terminal.ts'
import { writeTable } from '../command/text-table.ts'
import { withToolStore } from '../store/open-tool-store.ts'

export function secretKeyListCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'list',
    summary: 'list the encryption keys by name, and how much is encrypted with each',
    examples: ['posthorn secret-key list'],
    settings: INSTALLATION_SETTINGS,
  })
  return answerBy(command, terminal, async (_options, config) =>
    withToolStore(config, async (store) => {
      const [sealing, counts] = [await store.sealingKey(), await store.countSeals()]
      const here = readKeys(keySourceOf(config)).map(({ id }) => id)
      const known = new Set([...here, ...counts.map(({ keyId }) => keyId)])
      const keys = [...known].map((key) => ({
        key: key === UNNAMED_KEY ? 'not named' : key,
        isHere: key === UNNAMED_KEY || here.includes(key),
        seals: key === sealing,
        sealed: counts.find(({ keyId }) => keyId === key)?.seals ?? 0,
      }))
      const rows = keys.map(({ key, isHere, seals, sealed }) => [
        key,
        isHere ? 'yes' : 'missing',
        seals ? 'yes' : 'no',
        String(sealed),
      ])
      return { json: { keys }, text: writeTable(['key', 'here', 'seals', 'sealed'], rows) }
    }),
  )
}
