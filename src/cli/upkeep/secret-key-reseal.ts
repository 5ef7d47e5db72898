/** `posthorn secret-key reseal`: seals everything under old keys with the current key. */
import type { Command } from 'commander'
import { keySourceOf } from '../../app/installation/installation.ts'
import { readKeys } from '../../stores/vault/key-ring.ts'
import { answerBy, INSTALLATION_SETTINGS, newCommand } from '../command/command.ts'
import type { Terminal } from '../command/terminal.ts'
import { withToolStore } from '../store/open-tool-store.ts'

export function secretKeyResealCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'reseal',
    summary:
      'encrypt everything with the current key, in small batches, also while the gateway runs; run it again to resume. ' +
      'Prints which keys are unused then',
    examples: ['posthorn secret-key reseal'],
    settings: INSTALLATION_SETTINGS,
  })
  return answerBy(command, terminal, async (_options, config) =>
    withToolStore(config, async (store) => {
      const resealed = await store.sealAnew()
      const needed = new Set([await store.sealingKey(), ...(await store.countSeals()).map(({ keyId }) => keyId)])
      const unneeded = readKeys(keySourceOf(config))
        .map(({ id }) => id)
        .filter((id) => !needed.has(id))
      const lines = unneeded.map((id) => `Key ${id} is unused now; remove it with: posthorn secret-key remove ${id}`)
      return { json: { resealed, unneeded }, text: [`Re-encrypted: ${resealed}.`, ...lines].join('\n') }
    }),
  )
}
