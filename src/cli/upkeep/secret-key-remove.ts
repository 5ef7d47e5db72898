/** `posthorn secret-key remove`: removes an unused key from the key file, permanently. */
import type { Command } from 'commander'
import { keySourceOf } from '../../app/installation/installation.ts'
import { UNNAMED_KEY } from '../../ports/records/sealing.ts'
import type { Store } from '../../ports/stores/store.ts'
import { keyPlace, readKeys, removeKey } from '../../stores/vault/key-ring.ts'
import { answerBy, INSTALLATION_SETTINGS, newCommand } from '../command/command.ts'
import { CannotDo } from '../command/failure.ts'
import type { Terminal } from '../command/terminal.ts'
import { withToolStore } from '../store/open-tool-store.ts'

export function secretKeyRemoveCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'remove',
    summary: 'remove an unused key from the key file for good; older backups may need it',
    examples: ['posthorn secret-key remove 1a2b3c4d'],
    settings: INSTALLATION_SETTINGS,
  }).argument('<key>', 'name of the key, from secret-key list')
  return answerBy(command, terminal, async (_options, config, [word]) => {
    const id = String(word)
    const source = keySourceOf(config)
    await withToolStore(config, async (store) => {
      if (!readKeys(source).some((key) => key.id === id)) throw new CannotDo(`${keyPlace(source)} holds no key ${id}`)
      await checkUnneeded(id, store)
    })
    if (source.kind === 'given') throw new CannotDo(`key ${id} is unused: remove it from ${source.name} yourself`)
    removeKey(source.path, id)
    return { json: { removed: id }, text: `Key ${id} removed from ${source.path}.` }
  })
}

async function checkUnneeded(id: string, store: Store): Promise<void> {
  if ((await store.sealingKey()) === id)
    throw new CannotDo(`key ${id} is the current key: run posthorn secret-key rotate first`)
  const needing = (await store.countSeals()).filter(({ keyId }) => keyId === id || keyId === UNNAMED_KEY)
  const seals = needing.reduce((sum, count) => sum + count.seals, 0)
  if (seals > 0) throw new CannotDo(`key ${id} is still in use (${seals}): run posthorn secret-key reseal first`)
}
