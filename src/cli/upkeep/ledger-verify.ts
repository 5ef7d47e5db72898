/** `posthorn ledger verify`: verifies the ledger. Exit code 1 and one sentence per discrepancy. */
import type { Command } from 'commander'
import { ASKING, answerBy, newCommand } from '../command/command.ts'
import { CannotDo } from '../command/failure.ts'
import type { Terminal } from '../command/terminal.ts'
import { askEndpoint } from '../store/ask-endpoint.ts'

export function ledgerVerifyCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'verify',
    summary: 'verify balances, totals, messages and closed months against the postings; safe while the gateway runs',
    examples: ['posthorn ledger verify'],
    settings: ASKING,
  })
  return answerBy(command, terminal, async (_options, config) => {
    const input = { params: {}, query: {}, body: {} }
    const { data } = (await askEndpoint('verifyLedger', input, config, terminal)) as {
      readonly data: readonly string[]
    }
    if (data.length > 0) throw new CannotDo(['the ledger has discrepancies', ...data].join('\n'))
    return { json: { faults: [] }, text: 'Ledger verified: no discrepancies.' }
  })
}
