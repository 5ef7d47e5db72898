/**
 * The connections of logins to this node, and the receiver of their reports: a report to a login is sent as deliver_sm
 * on one of its connections that can receive. While there is none, its reports wait in the store.
 */

import type { AccountId } from '../../domain/ids/account-id.ts'
import { isInboundReport, readProgramEvent } from '../../domain/reports/program-event.ts'
import { hookOf } from '../../domain/reports/report-schedule.ts'
import { readTarget, writeTarget } from '../../domain/reports/report-target.ts'
import type { LiveBind } from '../../operations/admin/endpoint/endpoint.ts'
import type { HookAnswer, HookCall, HookPost } from '../../ports/hooks/hook-post.ts'
import type { Clock } from '../../ports/system/clock.ts'
import { describeStatus, STATUS } from '../../wire/smpp/command-status.ts'
import type { Outcome } from '../../wire/smpp/outcome.ts'
import type { ShortMessage } from '../../wire/smpp/pdu.ts'
import { READINESS } from './acknowledgements.ts'
import { type ReceiptFacts, readReceiptFacts } from './receipt-facts.ts'
import { type InboundReport, writeDeliveries, writeReceipts } from './write-deliveries.ts'

/** A bound connection, as far as others need it. */
export interface LoginBind {
  /** Unique over the installation. */
  readonly id: string
  readonly login: string
  readonly accountId: AccountId
  /** Whether it was bound to receive. */
  readonly receives: boolean
  /** Whether it receives and is not about to end. */
  readonly canReceive: boolean
  /** How many more messages it takes now. */
  readonly room: number
  /** Of several connections, those with the most of it receive (acknowledgements.ts). */
  readonly readiness: number
  /** For operators. */
  readonly view: LiveBind
  deliver(message: ShortMessage): Promise<Outcome>
}

/** The hook of a login, of the account that it acts for. */
interface LoginHook {
  readonly accountId: AccountId
  readonly hook: string
}

/** Takes note of which logins can receive on this node. */
export interface ReceiverWatch {
  opened(hook: LoginHook): void
  /** The last connection that can receive has gone. */
  closed(hook: LoginHook): void
  /** Other nodes may have left reports for the login. */
  expect(hook: LoginHook): void
}

/** Which connections may receive a report. */
interface Receivers {
  readonly hook: string
  readonly account: number
  /** The connection on which the message was submitted: there the receipt follows the response. */
  readonly on: string | undefined
}

/** A receipt on another connection than the response might be read before it. */
const RESPONSE_READ_WITHIN_MS = 1_000
/** The statuses with which a client asks for a repetition; any other one ends the report. */
const TEMPORARY: readonly number[] = [STATUS.systemError, STATUS.queueFull, STATUS.throttled, STATUS.temporaryAppError]
const DONE: HookAnswer = { kind: 'answered', status: 200, retryAfterMs: null }

function hookOfLogin(name: string): string {
  return writeTarget({ form: 'smpp', to: name, facts: {} })
}

export class LoginBinds implements HookPost {
  readonly #clock: Clock
  /** By the hook of their login. */
  readonly #binds = new Map<string, Set<LoginBind>>()
  watch: ReceiverWatch = { opened: () => {}, closed: () => {}, expect: () => {} }

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(bind: LoginBind): void {
    const hook = hookOfLogin(bind.login)
    const binds = this.#binds.get(hook) ?? new Set()
    this.#binds.set(hook, binds)
    binds.add(bind)
    if (bind.canReceive) this.watch.opened({ accountId: bind.accountId, hook })
  }

  remove(bind: LoginBind): void {
    const hook = hookOfLogin(bind.login)
    const binds = this.#binds.get(hook)
    if (binds?.delete(bind) !== true) return
    if (binds.size === 0) this.#binds.delete(hook)
    if (bind.receives && !this.reaches(hook)) this.watch.closed({ accountId: bind.accountId, hook })
  }

  all(): readonly LoginBind[] {
    return [...this.#binds.values()].flatMap((binds) => [...binds])
  }

  /** Has the reports looked for that other nodes left for logins that can receive here. */
  look(): void {
    for (const [hook, binds] of this.#binds) {
      const receiver = [...binds].find(({ canReceive }) => canReceive)
      if (receiver !== undefined) this.watch.expect({ accountId: receiver.accountId, hook })
    }
  }

  reaches(hook: string): boolean {
    return [...(this.#binds.get(hook) ?? [])].some(({ canReceive }) => canReceive)
  }

  async post(call: HookCall): Promise<HookAnswer> {
    const target = readTarget(call.address)
    if (target?.form !== 'smpp') return { kind: 'forbidden', reason: 'not an address of a login' }
    const facts = readReceiptFacts(target.facts)
    const hook = hookOf(call.address)
    const messages = messagesOf(call.body, facts)
    if (messages.length === 0) return DONE
    const receivers = { hook, account: call.account, on: facts?.on }
    if (facts !== null) await this.#untilResponseIsRead(receivers, facts)
    for (const message of messages) {
      const failure = await this.#deliver(message, receivers)
      if (failure !== null) return { kind: 'failed', reason: failure }
    }
    return DONE
  }

  async stop(): Promise<void> {}

  /** Returns null once a connection has the message; otherwise why each one that answers failed. */
  async #deliver(message: ShortMessage, receivers: Receivers): Promise<string | null> {
    const tried = new Set<LoginBind>()
    let failure = 'no connection of the login can receive'
    for (;;) {
      const bind = this.#receiverFor(receivers, tried)
      if (bind === null) return failure
      tried.add(bind)
      const failed = failureIn(await bind.deliver(message))
      if (failed === null) return null
      failure = failed
    }
  }

  /** Waits for a connection that is silent only if there is no other one. */
  #receiverFor({ hook, account, on }: Receivers, tried: ReadonlySet<LoginBind>): LoginBind | null {
    const isAble = (bind: LoginBind) =>
      bind.canReceive &&
      bind.accountId === account &&
      bind.room > 0 &&
      !tried.has(bind) &&
      (tried.size === 0 || bind.readiness > READINESS.silent)
    const rank = ({ id, readiness }: LoginBind) => readiness * 2 + (id === on ? 1 : 0)
    const able = [...(this.#binds.get(hook) ?? [])].filter(isAble)
    return able.toSorted((a, b) => rank(b) - rank(a) || b.room - a.room)[0] ?? null
  }

  async #untilResponseIsRead(receivers: Receivers, { at, on }: ReceiptFacts): Promise<void> {
    const waitMs = Math.min(at + RESPONSE_READ_WITHIN_MS - this.#clock.now(), RESPONSE_READ_WITHIN_MS)
    if (waitMs <= 0 || this.#receiverFor(receivers, new Set())?.id === on) return
    await new Promise<void>((resolve) => void this.#clock.after(waitMs, resolve))
  }
}

function messagesOf(body: string, facts: ReceiptFacts | null): readonly ShortMessage[] {
  if (isInboundReport(body)) return writeDeliveries(JSON.parse(body) as InboundReport)
  const event = readProgramEvent(body)
  return event === null || facts === null ? [] : writeReceipts(event, facts)
}

/** Returns null if the client has the message, or refuses it for good. */
function failureIn(outcome: Outcome): string | null {
  if (outcome.kind === 'failed') return outcome.reason
  const { status } = outcome.answer
  return TEMPORARY.includes(status) ? describeStatus(status) : null
}
