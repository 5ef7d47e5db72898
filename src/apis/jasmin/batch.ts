/** Batches of Jasmin's REST API: messages with common arguments, sent together, now or later. */
import { isAbsoluteAddress } from '../../contract/fields/kinds.ts'
import { isObject } from '../../contract/request/envelope.ts'
import { tooFarAhead } from '../../contract/request/error-texts.ts'
import { timeZoneOfRequests } from '../../domain/accounts/account.ts'
import { brokenHookRule, type HookGuard } from '../../operations/request/check-hook.ts'
import type { LoginAccess } from '../../operations/request/logins.ts'
import type { ApiTools } from '../shared/api-path.ts'
import { type Arguments, dashedArguments, faultIn } from './arguments.ts'
import type { BatchCallbacks, BatchStatuses } from './batch-callbacks.ts'
import { type Asked, type JasminOutcome, openLogin, runOrders } from './execute.ts'
import { badArgument } from './jasmin-errors.ts'
import { readCountdown } from './read-time.ts'
import { orderOf } from './write-order.ts'
import { writeSend } from './write-outcome.ts'

/** Why a batch was not sent. */
export interface BatchFault {
  readonly title: string
  readonly description: string
}

interface BatchLogin {
  readonly username: string
  readonly password: string
  readonly address: string | null
}

export interface BatchResult extends BatchStatuses {
  readonly messageCount: number
  readonly scheduled?: string
}

type Members = Readonly<Record<string, unknown>>

/** Messages to one number each. */
const MAX_BATCH = 1_000

export async function runBatch(
  tools: ApiTools,
  callbacks: BatchCallbacks,
  batch: Members,
  { username, password, address }: BatchLogin,
): Promise<BatchResult | BatchFault> {
  const login = { username, password }
  const opened = openLogin(tools, dashedArguments(login), address)
  if ('status' in opened) {
    return { title: 'Authentication failed', description: `Authentication failed for user: ${username}` }
  }
  const config = isObject(batch['batch_config']) ? batch['batch_config'] : {}
  const now = tools.clock.now()
  const seconds = countdownOf(config['schedule_at'], opened, now)
  if (typeof seconds !== 'number') return seconds
  const { sendAheadSeconds } = tools.limits
  if (seconds > sendAheadSeconds) {
    return { title: 'Cannot schedule batch', description: tooFarAhead('schedule_at', sendAheadSeconds) }
  }
  const addresses = { accepted: config['callback_url'], refused: config['errback_url'] }
  if (!isCallbacks(addresses, tools.hookGuard)) {
    return { title: 'Validation error', description: `callback_url and errback_url ${ADDRESS_RULE}` }
  }
  if (callbacks.isFull) return { title: 'Too many batches', description: 'Callbacks of earlier batches are under way' }
  const messages = argumentsIn(batch, login)
  if (messages === null) return { title: 'Too many messages', description: `A batch has at most ${MAX_BATCH} messages` }
  const sendAt = seconds === 0 ? {} : { send_at: new Date(now + seconds * 1000).toISOString() }
  const outcomes = await send(tools, opened, { messages, sendAt, now })
  const result = {
    batchId: writeUuid(tools.random.bytes(16)),
    messageCount: messages.length,
    ...(seconds === 0 ? {} : { scheduled: `${seconds}s` }),
    messages: messages.map((args, index) => statusOf(args, outcomes[index] ?? badArgument('Unknown error'))),
  }
  const { accepted = null, refused = null } = addresses
  if (accepted !== null || refused !== null) {
    void callbacks.run(opened.access.account.id, { accepted, refused }, result)
  }
  return result
}

const ADDRESS_RULE = 'must be absolute http(s) addresses outside of private networks'
const MAX_ADDRESS = 2_048

function isCallbacks(
  addresses: Readonly<Record<'accepted' | 'refused', unknown>>,
  guard: HookGuard,
): addresses is { readonly accepted: string | undefined; readonly refused: string | undefined } {
  return Object.values(addresses).every((address) => {
    if (address === undefined) return true
    const isAddress = typeof address === 'string' && address.length <= MAX_ADDRESS && isAbsoluteAddress(address)
    return isAddress && brokenHookRule(guard, address) === null
  })
}

interface Batch {
  readonly messages: readonly Arguments[]
  readonly sendAt: object
  readonly now: number
}

/** Messages whose callbacks go to the same place are sent in one run. */
async function send(
  tools: ApiTools,
  who: LoginAccess,
  { messages, sendAt, now }: Batch,
): Promise<readonly JasminOutcome[]> {
  const outcomes = new Map<Arguments, JasminOutcome>()
  const asked: Asked[] = []
  for (const args of messages) {
    const order = faultIn(args, 'send') ?? orderOf(args, who.login, now)
    if (typeof order === 'string') outcomes.set(args, badArgument(order))
    else asked.push({ args, order: { ...order, operation: { ...order.operation, ...sendAt } } })
  }
  for (const group of Map.groupBy(asked, ({ order }) => JSON.stringify(order.reporting)).values()) {
    const results = await runOrders(tools, who, group)
    for (const [index, { args }] of group.entries()) {
      const outcome = results[index]
      if (outcome !== undefined) outcomes.set(args, outcome)
    }
  }
  return messages.map((args) => outcomes.get(args) ?? badArgument('Unknown error'))
}

/** Returns in how many seconds the batch is sent. */
function countdownOf(text: unknown, { access }: LoginAccess, now: number): number | BatchFault {
  if (text === undefined || text === null) return 0
  const zone = timeZoneOfRequests(access.account.settings) ?? 'UTC'
  const seconds = typeof text === 'string' ? readCountdown(text, zone, now) : null
  if (seconds === null) {
    return {
      title: 'Cannot parse scheduled_at value',
      description: `Got unknown format: ${String(text).slice(0, 100)}, correct formats are 'YYYY-MM-DD mm:hh:ss' or number of seconds`,
    }
  }
  if (seconds >= 0) return seconds
  return { title: 'Cannot schedule batch in past date', description: `Invalid past date given: ${String(text)}` }
}

/**
 * Returns the arguments of each message to one number; null for too many. Messages without a number or a text are left
 * out.
 */
function argumentsIn({ messages, globals }: Members, login: object): readonly Arguments[] | null {
  const list = Array.isArray(messages) ? (messages as readonly unknown[]) : []
  const common = isObject(globals) ? globals : {}
  const sent = list.filter(isObject).map((message) => {
    const members: Members = { ...common, ...message, ...login }
    const { to } = members
    return { members, numbers: Array.isArray(to) ? (to as readonly unknown[]) : to === undefined ? [] : [to] }
  })
  if (sent.reduce((total, { numbers }) => total + numbers.length, 0) > MAX_BATCH) return null
  const all = sent.flatMap(({ members, numbers }) => numbers.map((to) => dashedArguments({ ...members, to })))
  return all.filter((args) => args.has('content') || args.has('hex-content'))
}

function statusOf(args: Arguments, outcome: JasminOutcome): BatchResult['messages'][number] {
  const isSent = !('status' in outcome)
  return { to: args.get('to')?.toString() ?? '', status: isSent ? 1 : 0, statusText: writeSend(outcome) }
}

function writeUuid(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex')
  const version = `4${hex.slice(13, 16)}`
  const variant = `a${hex.slice(17, 20)}`
  return [hex.slice(0, 8), hex.slice(8, 12), version, variant, hex.slice(20)].join('-')
}
