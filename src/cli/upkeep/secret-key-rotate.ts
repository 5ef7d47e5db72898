/** `posthorn secret-key rotate`: seals with a new key from now on; older keys still open. */
import type { Command } from 'commander'
import { keySourceOf } from '../../app/installation/installation.ts'
import { auditStore } from '../../operations/admin/audited-store.ts'
import { addSealingKey, type KeySource, readKeys } from '../../stores/vault/key-ring.ts'
import { answerBy, INSTALLATION_SETTINGS, newCommand } from '../command/command.ts'
import { CannotDo } from '../command/failure.ts'
import type { Terminal } from '../command/terminal.ts'
import { actorAt } from '../store/ask-endpoint.ts'
import { withToolStore } from '../store/open-tool-store.ts'

export function secretKeyRotateCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'rotate',
    summary:
      'encrypt with a new key from now on, also in a running gateway; older keys still decrypt. With ' +
      'POSTHORN_SECRET_KEY or a shared database, first put the new key in front of the others on every machine',
    examples: ['posthorn secret-key rotate'],
    settings: INSTALLATION_SETTINGS,
  })
  return answerBy(command, terminal, async (_options, config) => {
    const source = keySourceOf(config)
    return withToolStore(config, async (store) => {
      const before = await store.sealingKey()
      const keyId = newestBut(before, source, config.database !== null)
      const about = {
        actor: actorAt(terminal),
        action: 'rotateSecretKey',
        clock: terminal.clock,
        request: null,
        hasTurn: false,
        checkSeen: () => {},
      }
      await auditStore(store, about).store.change({ kind: 'seal with', keyId })
      const text =
        `Key ${keyId} encrypts from now on; older data still needs key ${before}. Re-encrypt it with\n` +
        'posthorn secret-key reseal'
      return { json: { key: keyId, before }, text }
    })
  })
}

/**
 * Returns the newest key unless it seals already, or adds one. A newer key may come from an interrupted command or was
 * added by hand. `isShared`: gateways on other machines may have their own key files and could not open what a key made
 * here seals.
 */
function newestBut(sealing: string, source: KeySource, isShared: boolean): string {
  const [newest] = readKeys(source)
  if (newest !== undefined && newest.id !== sealing) return newest.id
  if (source.kind === 'file') {
    if (!isShared) return addSealingKey(source.path)
    throw new CannotDo(`put a new key in front of the others in ${source.path}, on every machine, and run this again`)
  }
  throw new CannotDo(
    `put a new key in front of the others in ${source.name}, start the gateway with it, and run this again`,
  )
}
