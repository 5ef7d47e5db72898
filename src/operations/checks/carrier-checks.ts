/**
 * Sends the checks of carriers, and gives up those that do not come back (domain/routing/carrier-check.ts). One node
 * does it; each check is stored before its message is sent, so that a restart sends no second one.
 */
import { CHANNEL_FORMS } from '../../contract/channels/channel-forms.ts'
import type { MessageId } from '../../domain/ids/message-id.ts'
import {
  type CarrierCheck,
  type CheckChange,
  type CheckedNumber,
  checkedNumbers,
  inboundNumbersOf,
  isCheckDue,
  judgeCheck,
  lastCheckOf,
  makeToken,
  validCheckOf,
  writeCheckText,
} from '../../domain/routing/carrier-check.ts'
import { ChangeRefused } from '../../ports/records/store-errors.ts'
import type { Store } from '../../ports/stores/store.ts'
import { accessAs } from '../admin/trials/try-steps.ts'
import type { OperationTools } from '../request/operation-tools.ts'
import type { RunAs } from '../run/run.ts'

export interface CarrierCheckTools {
  readonly operations: OperationTools
  readonly store: Pick<Store, 'change' | 'trace' | 'cluster'>
  readonly runAs: RunAs
  /** Reads the directory again, after a check has changed. */
  readonly refresh: () => Promise<void>
}

const TOKEN_BYTES = 8

const NO_ACCOUNT = 'the number is no inbound number of an account: posthorn inbound-number set'

export class CarrierChecks {
  readonly #tools: CarrierCheckTools

  constructor(tools: CarrierCheckTools) {
    this.#tools = tools
  }

  /** Sends the checks that are due, and ends those that are over. Rejects if the store does. */
  async look(): Promise<void> {
    const { operations, store, refresh } = this.#tools
    if (store.cluster?.leads() === false) return
    const directory = operations.directory()
    let changed = false
    for (const number of checkedNumbers(directory.carriers)) {
      const last = validCheckOf(number, directory)
      if (last?.outcome === 'waiting') changed = (await this.#end(last, number)) || changed
      else if (isCheckDue(number, last, operations.clock.now())) changed = (await this.#send(number)) || changed
    }
    if (changed) await refresh()
  }

  /** Returns whether it was given up. */
  async #end(check: CarrierCheck, { settings }: CheckedNumber): Promise<boolean> {
    const now = this.#tools.operations.clock.now()
    if (now - check.sentAt < settings.within * 1_000) return false
    const trace = check.messageId === null ? null : await this.#tools.store.trace(check.messageId)
    return this.#change({ ...check, ...judgeCheck(trace?.message ?? null), endedAt: now }, check)
  }

  /** Returns whether a check was stored. */
  async #send(number: CheckedNumber): Promise<boolean> {
    const { clock, random, directory } = this.#tools.operations
    const last = lastCheckOf(number, directory().carrierChecks)
    const sentAt = clock.now()
    const { carrierId, country } = number
    const token = makeToken(random.bytes(TOKEN_BYTES), number, directory())
    const check = { carrierId, country, token, sentAt, endedAt: null, detail: null, outcome: 'waiting' } as const
    let sent: CarrierCheck | null = null
    const begin = async (messageId: MessageId) => {
      const waiting = { ...check, messageId }
      if (!(await this.#change(waiting, last))) throw new AnotherNode()
      sent = waiting
    }
    const error = await this.#submit(number, writeCheckText(number.settings, token), begin)
    if (error === null) return sent !== null
    const { messageId } = sent ?? { messageId: null }
    const failed = { ...check, messageId, outcome: 'not sent', endedAt: clock.now(), detail: error } as const
    return this.#change(failed, sent ?? last)
  }

  /** Returns why it was refused; null if it was accepted. */
  async #submit(number: CheckedNumber, text: string, begin: Parameters<RunAs>[2]): Promise<string | null> {
    const { operations, runAs } = this.#tools
    const { carrierId, phone, settings } = number
    const account = this.#accountOf(number)
    if (account === null) return NO_ACCOUNT
    const access = accessAs(operations, { account, test: false, now: operations.clock.now() })
    const { state, settings: ofAccount } = access.account
    if (state !== 'active') return `account ${account} is ${state}`
    const sender = settings.sender ?? ofAccount.defaultSmsSender
    const lifetime = {
      [CHANNEL_FORMS.sms.lifetime.name]: Math.max(settings.within, operations.limits.lifetimeMinSeconds),
    }
    const item = { type: 'sms', phone, sms_message: text, sms_signature: sender, ...lifetime }
    try {
      return errorIn(await runAs(access, item, begin, carrierId))
    } catch (error) {
      if (error instanceof AnotherNode) return null
      throw error
    }
  }

  /** The account whose inbound number it is: one without a keyword, if there is one. */
  #accountOf(number: CheckedNumber) {
    const found = inboundNumbersOf(number, this.#tools.operations.directory().inboundNumbers)
    return (found.find(({ keyword }) => keyword === null) ?? found[0])?.accountId ?? null
  }

  /** Returns false if the check has changed since it was read. */
  async #change(check: CarrierCheck, before: CheckChange['before'] | undefined): Promise<boolean> {
    try {
      await this.#tools.store.change({ kind: 'set carrier check', check, before: before ?? null })
      return true
    } catch (error) {
      if (error instanceof ChangeRefused) return false
      throw error
    }
  }
}

/** Another node made the check. */
class AnotherNode extends Error {}

interface Answer {
  readonly error?: string
  readonly data?: readonly [{ readonly success: boolean; readonly error?: string }]
}

function errorIn(text: string): string | null {
  const { error, data } = JSON.parse(text) as Answer
  const [result] = data ?? []
  if (result?.success === true) return null
  return error ?? result?.error ?? 'the gateway did not answer'
}
