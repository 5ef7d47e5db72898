/** The stage for stories about a store: an installation of it, a client with money, and words for what happens. */
import type { AccountSettings } from '../../../src/domain/accounts/account.ts'
import type { InstallationRetention } from '../../../src/domain/accounts/retention.ts'
import type { AccountId } from '../../../src/domain/ids/account-id.ts'
import type { Turn } from '../../../src/domain/journey/turn.ts'
import type { Message } from '../../../src/domain/message/message.ts'
import { toMicros } from '../../../src/domain/money/money.ts'
import type { RecordedTurn, RecordOutcome } from '../../../src/ports/stores/delivery-store.ts'
import type { AcceptItem, AcceptRequest, ItemOutcome } from '../../../src/ports/stores/intake-store.ts'
import type { Store } from '../../../src/ports/stores/store.ts'
import { BEGINNING, buildAccount, buildMessage } from '../../support/build-message.ts'

/** One database, fresh and empty. */
export interface Installation {
  /** Opens it as a gateway; any gateway that had it open before is closed by then, or dead. */
  open(): Promise<Store>
  /** Opens it as an operator's tool beside the gateway. */
  openTool(): Promise<Store>
  remove(): Promise<void>
  /** Returns all rows as text. */
  dump?(): Promise<string>
}

export type Install = () => Promise<Installation>

export class StoreStory {
  store: Store
  readonly #installation: Installation
  #accounts = 0
  #counter = 0

  private constructor(installation: Installation, store: Store) {
    this.#installation = installation
    this.store = store
  }

  static async begin(install: Install): Promise<StoreStory> {
    const installation = await install()
    return new StoreStory(installation, await installation.open())
  }

  async end(): Promise<void> {
    await this.store.close()
    await this.#installation.remove()
  }

  /** The gateway goes and another comes, with a node number of its own. */
  async reopen(): Promise<void> {
    await this.store.close()
    this.store = await this.#installation.open()
  }

  openTool(): Promise<Store> {
    return this.#installation.openTool()
  }

  /** All rows of the database as text. */
  async dump(): Promise<string> {
    if (this.#installation.dump === undefined) throw new Error('this installation cannot be dumped')
    return this.#installation.dump()
  }

  /** A new account with that much money. */
  async account(balanceMicros = 1_000_000, settings: Partial<AccountSettings> = {}): Promise<AccountId> {
    this.#accounts += 1
    const { id: _, ...account } = buildAccount({ name: `Client ${this.#accounts}` })
    const change = { kind: 'create account', account: { ...account, settings: { ...account.settings, ...settings } } }
    const accountId = (await this.store.change(change as never)) as AccountId
    if (balanceMicros > 0) {
      await this.store.change({ kind: 'top up', accountId, amountMicros: toMicros(balanceMicros), at: BEGINNING })
    }
    return accountId
  }

  /** Sweeps with the default settings. */
  sweep(now: number, keeping: Partial<InstallationRetention> = {}): Promise<void> {
    return this.store.sweep(now, { settledKeptDays: 30, inboundKeptDays: 90, ...keeping })
  }

  /** A message with an id of its own. */
  message(accountId: AccountId, change: Partial<Message> = {}): Message {
    this.#counter += 1
    return buildMessage({ counter: this.#counter, accountId, ...change })
  }

  async accept(
    accountId: AccountId,
    items: readonly AcceptItem[],
    request: Partial<AcceptRequest> = {},
  ): Promise<readonly ItemOutcome[]> {
    const outcome = await this.store.accept({ accountId, now: BEGINNING, idempotency: null, items, ...request })
    if (outcome.kind !== 'executed') throw new Error(`the request was ${outcome.kind}`)
    return outcome.outcomes
  }

  /** A message that is accepted, held by this node unless it waits. */
  async accepted(
    accountId: AccountId,
    change: Partial<Message> = {},
    item: Partial<MessageItem> = {},
  ): Promise<Message> {
    const message = this.message(accountId, change)
    const [outcome] = await this.accept(accountId, [messageItem(message, item)])
    if (outcome?.kind !== 'accepted') throw new Error(`the message was ${outcome?.kind}`)
    return message
  }

  record(turn: Turn, how: Partial<RecordedTurn> = {}): Promise<RecordOutcome> {
    return this.store.record([recorded(turn, how)])
  }

  /** Records the turn and answers with the message after it. */
  async after(turn: Turn, how: Partial<RecordedTurn> = {}): Promise<Message> {
    const { stale } = await this.record(turn, how)
    if (stale.length > 0) throw new Error('the turn was stale')
    return turn.message
  }
}

type MessageItem = Extract<AcceptItem, { kind: 'message' }>

export function messageItem(message: Message, change: Partial<MessageItem> = {}): AcceptItem {
  return { kind: 'message', message, waits: false, links: [], uniqueId: false, ...change }
}

export function recorded(turn: Turn, how: Partial<RecordedTurn> = {}): RecordedTurn {
  return { turn, held: true, reportsHeld: true, clickedCode: null, ...how }
}

/** An outcome that nothing remarkable came of. */
export const ALL_WRITTEN: RecordOutcome = { stale: [], elsewhere: [], earlyReceipts: [], queuedReports: [] }
