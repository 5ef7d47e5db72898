/**
 * Reads a send: checks, counts and prices one step for each channel of its type, in order. Writes nothing, so that
 * `price` uses it too.
 */
import { CHANNEL_FORMS } from '../../contract/channels/channel-forms.ts'
import { ID_FIELD, isSent, RECIPIENT_FIELD, readFields, SENDING_FIELDS } from '../../contract/fields/fields.ts'
import type { SendSchema } from '../../contract/operations/operation-schemas.ts'
import type { RequestObject } from '../../contract/request/envelope.ts'
import {
  ITEM_ERRORS,
  noPrice,
  notTogether,
  priorityTooHigh,
  required,
  tooFarAhead,
  tooManyParts,
} from '../../contract/request/error-texts.ts'
import type { ReadingRules } from '../../contract/request/limits.ts'
import { ItemRefused } from '../../contract/request/refused.ts'
import { RICH_FIELD } from '../../contract/rich/rich-fields.ts'
import { checkRich } from '../../contract/rich/rich-limits.ts'
import { defaultSenderOf } from '../../domain/accounts/account.ts'
import { type CodeChannel, carriesTexts, descriptorOf, type MessageChannel } from '../../domain/channels/channel.ts'
import { CHATAPP } from '../../domain/channels/chatapp.ts'
import type { TrafficKind } from '../../domain/guards/traffic.ts'
import type { Message, Plan, Step, TextContent } from '../../domain/message/message.ts'
import { highestClass, isHigher, type TrafficClass } from '../../domain/message/traffic-class.ts'
import { NO_MONEY, timesMicros } from '../../domain/money/money.ts'
import { MAX_RATE, type RatedNumber } from '../../domain/money/rate.ts'
import { isUserId, type Phone } from '../../domain/numbers/phone.ts'
import { isTestSender } from '../../domain/routing/test-mode.ts'
import { countParts } from '../../domain/text/text-parts.ts'
import { transliterate } from '../../domain/text/transliterate.ts'
import type { AcceptItem } from '../../ports/stores/intake-store.ts'
import type { Random } from '../../ports/system/random.ts'
import { linkSteps, ShortLinks } from '../links/shorten-links.ts'
import { checkHook } from '../request/check-hook.ts'
import { isFree, type Scope } from '../request/planned.ts'

/** A step as the client described it, before links are shortened and parts counted and priced. */
export interface AskedStep<C extends CodeChannel = MessageChannel> {
  readonly channel: C
  readonly sender: string
  readonly content: TextContent
  readonly lifetimeSeconds: number
}

const WHO_FIELDS = [ID_FIELD, RECIPIENT_FIELD] as const
const RICH_FIELDS = [RICH_FIELD] as const

/** A send that is read, checked and priced. */
export interface PricedSend {
  /** The client's `id` as the JSON token that was sent; null without one. */
  readonly clientId: string | null
  readonly phone: Phone
  /** Null if unknown. */
  readonly operator: string | null
  readonly plan: Plan
  readonly hook: string | null
  /** Milliseconds: planned time; null to send at once. */
  readonly sendAt: number | null
  /** The traffic class that the client asks for; null without one. */
  readonly priority: TrafficClass | null
  /** Short links in the plan. */
  readonly links: ShortLinks
}

/** `random` draws the codes of short links. Throws ItemRefused for an item that cannot be sent. */
export function readSend(scope: Scope, item: RequestObject, schema: SendSchema, random: Random): PricedSend {
  const { account, now, tools } = scope
  const { id: clientId = null, phone } = readFields(item, WHO_FIELDS, tools.limits)
  if (phone === undefined) throw new ItemRefused(required(RECIPIENT_FIELD.name))
  if (isUserId(phone) && !schema.channels.includes(CHATAPP.name)) throw new ItemRefused(ITEM_ERRORS.needsPhone)
  const plain = schema.channels.map((channel, index) => readStep(scope, item, { channel, schema, index }))
  const asked = withRich(plain, item, tools.limits)
  const sending = readFields(item, SENDING_FIELDS, tools.limits)
  const { hook, sendAt = null, priority = null } = sending
  if (priority !== null && scope.bulk === null) checkPriority(highestClass(scope.key.priority), priority)
  if (hook !== undefined) checkHook(tools, hook)
  const { sendAheadSeconds } = tools.limits
  if (sendAt !== null && sendAt > now + sendAheadSeconds * 1000) {
    throw new ItemRefused(tooFarAhead('send_at', sendAheadSeconds))
  }
  checkSenders(scope, asked, phone)
  checkDestination(scope, 'messages', phone)
  checkQuietHours(scope, phone, Math.max(now, sendAt ?? now))
  const links = new ShortLinks(tools.publicUrl, random)
  const linked = linkSteps(asked, sending, links)
  checkRichSteps(linked, sending.unsubscribeLink)
  const operator = scope.lookup.operatorOf(phone)
  return {
    clientId,
    phone,
    operator,
    plan: linked.map((step) => priceStep(scope, { phone, operator }, step)),
    hook: hook ?? account.settings.defaultHook,
    sendAt,
    priority,
    links,
  }
}

/** Throws ItemRefused for a class above the highest. Bulks are checked when they are created. */
export function checkPriority(highest: TrafficClass, asked: TrafficClass | null): void {
  if (asked === null || !isHigher(asked, highest)) return
  throw new ItemRefused(priorityTooHigh('priority', highest))
}

/** Adds the rich content to the steps whose messengers may show it. */
function withRich(steps: readonly AskedStep[], item: RequestObject, limits: ReadingRules): readonly AskedStep[] {
  if (!isSent(item[RICH_FIELD.name]) || !steps.some(isRich)) return steps
  const { rich } = readFields(item, RICH_FIELDS, limits)
  if (rich === undefined) return steps
  return steps.map((step) => (isRich(step) ? { ...step, content: { ...step.content, rich } } : step))
}

function isRich({ channel }: Pick<AskedStep, 'channel'>): boolean {
  return descriptorOf(channel).isRich
}

/** The content is the same in all steps that have it. A link for opting out is in their texts. */
function checkRichSteps(steps: readonly AskedStep[], unsubscribeLink = false): void {
  const rich = steps.find(({ content }) => content.rich !== undefined)?.content.rich
  if (rich === undefined) return
  if (unsubscribeLink && rich.type !== 'suggestions') throw new ItemRefused(notTogether('unsubscribe_link', rich.type))
  checkRich(rich, RICH_FIELD.name)
  for (const { channel, content } of steps) {
    if (content.rich !== undefined) CHANNEL_FORMS[channel].checkRich?.(rich, RICH_FIELD.name, content)
  }
}

/** Throws ItemRefused for a sender name that the account may not use. */
export function checkSenders(
  { account, directory, key, testedCarrier }: Scope,
  steps: readonly Pick<AskedStep<CodeChannel>, 'channel' | 'sender'>[],
  phone: Phone,
): void {
  if (testedCarrier !== null) return
  for (const { channel, sender } of steps) {
    if (!carriesTexts(channel)) continue
    if (key.test && isTestSender(sender)) continue
    if (!directory.isApproved(account.id, channel, sender, phone))
      throw new ItemRefused(ITEM_ERRORS.alphaName, `${channel}_signature`)
  }
}

interface WhichStep {
  readonly channel: MessageChannel
  readonly schema: SendSchema
  readonly index: number
}

function readStep(scope: Scope, item: RequestObject, { channel, schema, index }: WhichStep): AskedStep {
  const { tools, account } = scope
  const { sender, content, lifetimeSeconds } = CHANNEL_FORMS[channel].readStep(item, {
    limits: tools.limits,
    timed: schema.timed[index] === true,
    defaultSender: defaultSenderOf(account, channel),
  })
  const usual = () => usualLifetime(scope, channel, schema.channels.length)
  return { channel, sender, content, lifetimeSeconds: lifetimeSeconds ?? usual() }
}

/** Default lifetime of a step in a plan of so many steps, seconds. */
export function usualLifetime({ tools, account }: Scope, channel: MessageChannel, steps: number): number {
  const isAccounts = steps > 1 && descriptorOf(channel).waitsInChain === 'step lifetime'
  return isAccounts ? account.settings.stepLifetimeSeconds : tools.limits.lifetimeDefaultSeconds
}

function inPlainLetters<C extends CodeChannel>(step: AskedStep<C>): AskedStep<C> {
  if (!descriptorOf(step.channel).inParts) return step
  return { ...step, content: { ...step.content, text: transliterate(step.content.text) } }
}

/** Counts the parts of a step, in plain letters if the account wants those, and prices it. */
export function priceStep(scope: Scope, { phone, operator }: RatedNumber, asked: AskedStep<CodeChannel>): Step {
  const { account, directory, tools, now, chatappName } = scope
  const step = account.settings.transliterateSms ? inPlainLetters(asked) : asked
  const parts = descriptorOf(step.channel).inParts ? countParts(step.content.text) : 1
  if (parts > tools.limits.smsParts)
    throw new ItemRefused(tooManyParts(`${step.channel}_message`, tools.limits.smsParts))
  const { channel, sender, content, lifetimeSeconds } = step
  const { id: accountId, currency } = account
  const partMicros = directory.priceOf({ phone, operator, accountId, currency, channel, at: now })
  // Test keys and tests of carriers work without prices.
  if (partMicros === null && !isFree(scope)) throw new ItemRefused(noPrice(channel))
  // Earlier versions accepted higher prices than a message can cost.
  if (partMicros !== null && partMicros > MAX_RATE) throw new ItemRefused(noPrice(channel))
  const priceMicros = timesMicros(partMicros ?? NO_MONEY, parts)
  const priced = { channel, sender, content, lifetimeSeconds, priceMicros, parts }
  return channel === CHATAPP.name && chatappName !== CHATAPP.name ? { ...priced, channelName: chatappName } : priced
}

/**
 * Checks one item against the account's guards that need no store: destinations and quiet hours; and determines its
 * usage counters.
 */

/** Throws ItemRefused for a number that the account may not reach. Simulated phones are exempt. */
export function checkDestination({ account, key, directory, now }: Scope, kind: TrafficKind, phone: Phone): void {
  const { guards } = directory
  if (key.test) return
  if (!guards.allowsCountry(account.settings, phone)) throw new ItemRefused(ITEM_ERRORS.countryNotAllowed)
  if (guards.isStopped(account.id, kind, phone, now)) throw new ItemRefused(ITEM_ERRORS.destinationStopped)
}

/** Throws ItemRefused during quiet hours if the account refuses messages then, except one-time codes. */
export function checkQuietHours(scope: Scope, phone: Phone, at: number): void {
  const { account, directory } = scope
  const { guards } = directory
  if (isFree(scope) || scope.sendsCodes || guards.quietHoursOf(account.settings)?.action !== 'refuse') return
  if (guards.quietUntil(account.settings, phone, at) !== null) throw new ItemRefused(ITEM_ERRORS.quietHours)
}

/** Returns the usage counters of a message or call to this phone. */
export function countsOf({ usage }: Scope, kind: TrafficKind, phone: Phone): readonly number[] {
  return usage?.placesOf(kind, phone) ?? NONE
}

/** The same for a verification, which is limited by itself too. `address`: the end user's, null if unknown. */
export function countsOfVerification(
  { usage, account, tools }: Scope,
  kind: TrafficKind,
  { phone, address }: { readonly phone: Phone; readonly address: string | null },
): readonly number[] {
  if (usage === null) return NONE
  const { settings } = account
  const { limits } = tools
  const most = {
    perHour: settings.verifyPerHour,
    perHourToPhone: settings.verifyPerHourToPhone ?? limits.verifyPerHourToPhone,
    perHourFromAddress: settings.verifyPerHourFromAddress ?? limits.verifyPerHourFromAddress,
  }
  return [...usage.verifyPlacesOf(phone, address, most), ...usage.placesOf(kind, phone)]
}

/** The same for a message that repeats the code of a verification: limited like another verification of its phone. */
export function countsOfResend(scope: Scope, { id, phone }: Pick<Message, 'id' | 'phone'>): readonly number[] {
  if (scope.usage === null) return NONE
  return [scope.usage.resendPlaceOf(id), ...countsOfVerification(scope, 'messages', { phone, address: null })]
}

/** Returns those of a lookup, whose price counts towards what the account may spend in a day. */
export function countsOfLookup({ usage }: Scope): readonly number[] {
  return usage?.spendPlaces() ?? NONE
}

/** Returns the item with its counters. What counts towards nothing has no field, so that nothing is read for it. */
export function withCounts<Item extends CountedItem>(item: Item, counts: readonly number[]): Item {
  return counts.length === 0 ? item : { ...item, counts }
}

type CountedItem = Extract<AcceptItem, { readonly kind: 'message' | 'call' | 'lookup' }>

const NONE: readonly number[] = []
