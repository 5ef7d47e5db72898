/** `posthorn account set`: suspends, closes or reopens an account and changes its settings. */
import { type Command, Option } from 'commander'
import Type from 'typebox'
import type { AccountId, AccountState } from '../domain/account.ts'
import { changeAccount } from '../operations/admin/change-account.ts'
import { readSettings, SETTINGS } from '../operations/admin/endpoints/accounts.ts'
import { answerBy, INSTALLATION, newCommand } from './command.ts'
import { makeOption, pick } from './endpoint-command.ts'
import { WrongUsage } from './failure.ts'
import { withToolStore } from './open-tool-store.ts'
import { readAccountId } from './option-readers.ts'
import type { Terminal } from './terminal.ts'

interface Options {
  readonly account: AccountId
  readonly state?: AccountState
}

const STATES = ['active', 'suspended', 'closed'] as const satisfies readonly AccountState[]

export function accountSetCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'set',
    summary: 'change an account; what is not named stays. The keys of a suspended account open nothing',
    examples: [
      'posthorn account set --account 1 --state suspended',
      'posthorn account set --account 1 --unique-ids yes',
      'posthorn account set --account 1 --allowed-countries DE,AT --quiet-hours 21:00-08:00',
    ],
    settings: INSTALLATION,
  })
    .requiredOption('--account <id>', 'the account', readAccountId)
    .addOption(new Option('--state <state>', 'whether it may be used').choices(STATES))
  for (const [name, schema] of Object.entries(SETTINGS)) command.addOption(makeOption(name, schema, false))
  return answerBy<Options>(command, terminal, async ({ account: accountId, state, ...options }, config) => {
    const settings = readSettings(pick(Type.Object(SETTINGS), options))
    if (state === undefined && Object.keys(settings).length === 0) throw new WrongUsage('nothing to change was named')
    const after = await withToolStore(config, (store) =>
      changeAccount(store, { accountId, settings, ...(state === undefined ? {} : { state }) }),
    )
    return {
      json: { accountId, state: after.state, settings: after.settings },
      text: `Account ${accountId} (${after.name}) is ${after.state} and has the new settings.`,
    }
  })
}
