/** `posthorn key check`: explains why an API key gets `Access denied`. Reads the key from standard input. */
import type { Command } from 'commander'
import { ASKING, answerBy, newCommand } from '../command/command.ts'
import { WrongUsage } from '../command/failure.ts'
import type { Terminal } from '../command/terminal.ts'
import { writeFacts } from '../command/text-table.ts'
import { askEndpoint } from '../store/ask-endpoint.ts'

interface CheckedKey {
  readonly opens: boolean
  readonly refusal: string | null
  readonly account: number | null
  readonly name: string | null
  readonly id: string | null
  readonly scopes: readonly string[]
  readonly expires_at: string | null
  readonly revoked_at: string | null
  readonly allowed_networks: readonly string[] | null
}

export function keyCheckCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'check',
    summary:
      'check whether an API key is accepted, and why not; exit code 1 if it is not; reads the key from standard input',
    examples: ['posthorn key check < key.txt', 'posthorn key check --address 192.0.2.7 < key.txt'],
    settings: ASKING,
  }).option('--address <address>', 'also check whether the account allows requests from this address')
  return answerBy<{ readonly address?: string }>(command, terminal, async ({ address }, config) => {
    const key = (await terminal.readInput()).trim()
    if (key === '') throw new WrongUsage('standard input: must contain the key, but is empty')
    const body = { key, ...(address === undefined ? {} : { address }) }
    const checked = (await askEndpoint('checkKey', { params: {}, query: {}, body }, config, terminal)) as CheckedKey
    const text = writeFacts([
      ['opens', writeOpens(checked, address)],
      ['account', String(checked.account ?? '-')],
      ['key', checked.name === null ? '-' : `${checked.name} (${checked.id})`],
      ['scopes', checked.scopes.join(', ') || '-'],
      ['networks', checked.allowed_networks === null ? 'any' : checked.allowed_networks.join(', ')],
    ])
    return checked.opens ? { json: checked, text } : { json: checked, text, failure: 'the key is not accepted' }
  })
}

function writeOpens(checked: CheckedKey, address: string | undefined): string {
  const { opens, allowed_networks: networks } = checked
  if (!opens) return `no: ${reasonOf(checked)}`
  return networks === null || address !== undefined ? 'yes' : `yes, from ${networks.join(', ')} only`
}

function reasonOf({ refusal, revoked_at: revokedAt, expires_at: expiresAt }: CheckedKey): string | null {
  if (refusal === 'revoked key') return `revoked on ${revokedAt}`
  return refusal === 'expired key' ? `expired on ${expiresAt}` : refusal
}
