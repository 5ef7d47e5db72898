/** `posthorn account set`: suspends, closes or reopens an account and changes its settings. */
import { type Command, Option } from 'commander'
import type { AccountId, AccountSettings, AccountState } from '../domain/account.ts'
import { changeAccount } from '../operations/admin/change-account.ts'
import { answerBy, INSTALLATION, newCommand } from './command.ts'
import { WrongUsage } from './failure.ts'
import { withToolStore } from './open-tool-store.ts'
import { readAccountId, readFlag, readWhole } from './option-readers.ts'
import type { Terminal } from './terminal.ts'

interface Options {
  readonly account: AccountId
  readonly state?: AccountState
  readonly uniqueIds?: boolean
  readonly reportSteps?: boolean
  readonly stepLifetimeSeconds?: number
  readonly operationsPerSecond?: number | null
  readonly transliterateSms?: boolean
}

const STATES = ['active', 'suspended', 'closed'] as const satisfies readonly AccountState[]

export function accountSetCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'set',
    summary: 'change an account; what is not named stays. The keys of a suspended account open nothing',
    examples: [
      'posthorn account set --account 1 --state suspended',
      'posthorn account set --account 1 --unique-ids yes',
    ],
    settings: INSTALLATION,
  })
    .requiredOption('--account <id>', 'the account', readAccountId)
    .addOption(new Option('--state <state>', 'whether it may be used').choices(STATES))
    .option('--unique-ids <yes|no>', 'a second use of a client id sends nothing', readFlag)
    .option('--report-steps <yes|no>', 'report the steps between as well', readFlag)
    .option('--step-lifetime-seconds <number>', 'lifetime of chat-app and SMS steps of a chain', readWhole)
    .option('--transliterate-sms <yes|no>', 'SMS lose accents that GSM lacks when that makes them shorter', readFlag)
    .option('--operations-per-second <number|none>', 'rate limit', (text) => (text === 'none' ? null : readWhole(text)))
  return answerBy<Options>(command, terminal, async ({ account: accountId, state, ...options }, config) => {
    const settings = pickSettings(options)
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

function pickSettings(options: Omit<Options, 'account' | 'state'>): Partial<AccountSettings> {
  const { uniqueIds, reportSteps, stepLifetimeSeconds, operationsPerSecond, transliterateSms } = options
  return {
    ...(uniqueIds === undefined ? {} : { uniqueIds }),
    ...(reportSteps === undefined ? {} : { reportSteps }),
    ...(stepLifetimeSeconds === undefined ? {} : { stepLifetimeSeconds }),
    ...(operationsPerSecond === undefined ? {} : { operationsPerSecond }),
    ...(transliterateSms === undefined ? {} : { transliterateSms }),
  }
}
