/** `verify/start`: sends a one-time code by the first channel of a list, and by the next ones if that fails. */
import { readFields, type Values } from '../../contract/fields/fields.ts'
import { VERIFY_DEFAULTS, VERIFY_START_FIELDS } from '../../contract/operations/verify-fields.ts'
import { CODE_PLACEHOLDER, VERIFY_TEXTS } from '../../contract/operations/verify-texts.ts'
import type { RequestObject } from '../../contract/request/envelope.ts'
import { codeInTwoBraces, ITEM_ERRORS, lacksCode, required } from '../../contract/request/error-texts.ts'
import { ItemRefused } from '../../contract/request/refused.ts'
import { defaultSenderOf } from '../../domain/accounts/account.ts'
import { type Channel, type CodeChannel, carriesTexts, type MessageChannel } from '../../domain/channels/channel.ts'
import { atNoCost, holdOf, type Step, tenantOf } from '../../domain/message/message.ts'
import { beginVerification } from '../../domain/message/verification.ts'
import { toDecimal } from '../../domain/money/money.ts'
import type { AcceptItem } from '../../ports/stores/intake-store.ts'
import type { Random } from '../../ports/system/random.ts'
import { checkHook } from '../request/check-hook.ts'
import type { Planned, Scope } from '../request/planned.ts'
import { type PlannedCall, planCallStep } from '../send/plan-call.ts'
import {
  type AskedStep,
  checkDestination,
  checkSenders,
  countsOfVerification,
  priceStep,
  withCounts,
} from '../send/read-send.ts'
import { makeMessage } from '../send/send.ts'

/** How long a channel is tried before the next one follows, seconds. */
const CALL_SECONDS = 30
const MESSAGE_SECONDS = 60

type Asked = Values<typeof VERIFY_START_FIELDS>

/** A call without a route is left out, unless it is the only channel. Throws ItemRefused if nothing can be sent. */
export function planVerifyStart(scope: Scope, item: RequestObject): Planned {
  const { account, key, now, tools } = scope
  const asked = readFields(item, VERIFY_START_FIELDS, tools.limits)
  const { id: clientId = null, phone, lifetime = VERIFY_DEFAULTS.lifetime, hook } = asked
  const channels: readonly Channel[] = asked.channels ?? VERIFY_DEFAULTS.channels
  if (hook !== undefined) checkHook(tools, hook)
  const number = { phone, operator: scope.lookup.operatorOf(phone) }
  const texts = planTexts(scope, asked, channels)
  checkSenders(scope, texts, phone)
  const kind = channels.includes('call') ? 'calls' : 'messages'
  checkDestination(scope, 'unverified', phone)
  checkDestination(scope, kind, phone)
  if (texts.length > 0) checkDestination(scope, 'messages', phone)
  const call = channels.includes('call') ? planCallStep(scope, number, CALL_SECONDS) : null
  const steps = channels.flatMap((channel): readonly Step[] => {
    if (channel === 'call') return call === null ? [] : [call.step]
    return texts.filter((text) => text.channel === channel).map((text) => priceStep(scope, number, text))
  })
  const timed = steps.map((step, index) => (index < steps.length - 1 ? step : { ...step, lifetimeSeconds: lifetime }))
  const [first] = timed
  if (first === undefined) throw new ItemRefused(ITEM_ERRORS.noCallPossible)
  const plan = key.test ? atNoCost(timed) : timed
  const expiresAt = now + lifetime * 1_000
  const message = makeMessage(scope, {
    clientId,
    plan,
    ...number,
    hook: hook ?? account.settings.defaultHook,
    verification: beginVerification(expiresAt),
  })
  const waits = !tools.outbox.hasRoom(first.channel, tenantOf(message))
  const counts = countsOfVerification(scope, kind, { phone, address: asked.ip ?? null })
  const result = {
    channel: first.channel,
    digits: digitsOf(first),
    expires_at: new Date(expiresAt).toISOString(),
    price: toDecimal(holdOf(plan)),
    ...(key.test ? codeOf(texts) : {}),
  }
  return {
    draft: { kind: 'verification', id: clientId, result },
    item: withCounts(itemOf({ message, waits }, call), counts),
  }
}

/** Returns the texts of the channels that carry one, all with the same code. */
function planTexts(scope: Scope, asked: Asked, channels: readonly Channel[]): readonly AskedStep<CodeChannel>[] {
  const template = asked.text ?? VERIFY_TEXTS[asked.language ?? VERIFY_DEFAULTS.language]
  if (template.includes(`{${CODE_PLACEHOLDER}}`)) throw new ItemRefused(codeInTwoBraces('text'))
  if (!template.includes(CODE_PLACEHOLDER)) throw new ItemRefused(lacksCode('text'))
  const code = drawCode(asked.length ?? VERIFY_DEFAULTS.length, scope.tools.random)
  const text = template.replaceAll(CODE_PLACEHOLDER, code)
  return channels.flatMap((channel): readonly AskedStep<CodeChannel>[] => {
    if (channel === 'call') return []
    const sender = carriesTexts(channel) ? senderOf(scope, asked, channel) : ''
    return [{ channel, sender, content: { kind: 'text', text, code }, lifetimeSeconds: MESSAGE_SECONDS }]
  })
}

/** Returns how many digits the code of the step has; a call has those of its number pool. */
function digitsOf({ content }: Step): number {
  return content.code?.length ?? 0
}

/** The phones of a test key are simulated, so that only the answer can contain the code. */
function codeOf([text]: readonly AskedStep<CodeChannel>[]): { readonly code?: string } {
  return text?.content.code === undefined ? {} : { code: text.content.code }
}

function senderOf({ account }: Scope, asked: Asked, channel: MessageChannel): string {
  const sender = asked[`${channel}Signature`] ?? defaultSenderOf(account, channel)
  if (sender === null) throw new ItemRefused(required(`${channel}_signature`))
  return sender
}

/** Every code is as probable as any other. */
function drawCode(digits: number, random: Random): string {
  return String(random.below(10 ** digits)).padStart(digits, '0')
}

type Accepted = Pick<Extract<AcceptItem, { kind: 'message' }>, 'message' | 'waits'>

/** The store chooses the number of a call. The ids of verifications may repeat: a repeat sends another code. */
function itemOf(accepted: Accepted, call: PlannedCall | null): Extract<AcceptItem, { kind: 'message' | 'call' }> {
  if (call === null) return { kind: 'message', ...accepted, links: [], uniqueId: false }
  return { kind: 'call', ...accepted, ...call.numbers }
}
