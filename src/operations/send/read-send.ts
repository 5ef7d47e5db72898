/**
 * Reads a send: checks, counts and prices one step for each channel of its type, in order. Writes nothing, so that
 * `price` uses it too.
 */
import { fitsWithin } from '../../contract/fields/characters.ts'
import {
  CHATAPP_FIELDS,
  CHATAPP_LIFETIME_FIELD,
  ID_FIELD,
  isSent,
  PHONE_FIELD,
  RCS_FIELDS,
  RCS_TEXT_MAX,
  RCS_TEXT_MAX_WITH_IMAGE,
  readFields,
  SENDING_FIELDS,
  SMS_FIELDS,
  SMS_LIFETIME_FIELD,
  type Values,
} from '../../contract/fields/fields.ts'
import { CHATAPP } from '../../contract/operations/chatapp-names.ts'
import type { SendSchema } from '../../contract/operations/operation-schemas.ts'
import { RICH_FIELD } from '../../contract/operations/rich-fields.ts'
import { checkRich } from '../../contract/operations/rich-limits.ts'
import type { JsonObject } from '../../contract/request/envelope.ts'
import {
  ITEM_ERRORS,
  noPrice,
  notTogether,
  tooFarAhead,
  tooLong,
  tooManyParts,
} from '../../contract/request/error-texts.ts'
import type { Limits } from '../../contract/request/limits.ts'
import { ItemRefused } from '../../contract/request/refused.ts'
import type { MessageChannel } from '../../domain/channels/channel.ts'
import type { Plan, Step, TextContent } from '../../domain/message/plan.ts'
import { NO_MONEY, timesMicros } from '../../domain/money/money.ts'
import { MAX_RATE, type RatedNumber } from '../../domain/money/rate-table.ts'
import type { Phone } from '../../domain/numbers/phone.ts'
import { isTestSender } from '../../domain/routing/test-mode.ts'
import { countParts } from '../../domain/text/text-parts.ts'
import { transliterate } from '../../domain/text/transliterate.ts'
import type { Random } from '../../ports/system/random.ts'
import { linkSteps } from '../links/link-steps.ts'
import { ShortLinks } from '../links/shorten-links.ts'
import { checkHook } from '../request/check-hook.ts'
import type { Scope } from '../request/planned.ts'
import { checkDestination, checkQuietHours } from './check-destination.ts'

/** A step as the client described it, before links are shortened and parts counted and priced. */
export interface AskedStep {
  readonly channel: MessageChannel
  readonly sender: string
  readonly content: TextContent
  readonly lifetimeSeconds: number
}

const WHO_FIELDS = [ID_FIELD, PHONE_FIELD] as const
const CHATAPP_TIMED_FIELDS = [...CHATAPP_FIELDS, CHATAPP_LIFETIME_FIELD] as const
const SMS_TIMED_FIELDS = [...SMS_FIELDS, SMS_LIFETIME_FIELD] as const
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
  /** Short links in the plan. */
  readonly links: ShortLinks
}

/** `random` draws the codes of short links. Throws ItemRefused for an item that cannot be sent. */
export function readSend(scope: Scope, item: JsonObject, schema: SendSchema, random: Random): PricedSend {
  const { account, now, tools } = scope
  const { id: clientId = null, phone } = readFields(item, WHO_FIELDS, tools.limits)
  const plain = schema.channels.map((channel) => READ_STEP[channel](scope, item, schema))
  const asked = withRich(plain, item, tools.limits)
  const sending = readFields(item, SENDING_FIELDS, tools.limits)
  const { hook, sendAt = null } = sending
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
    links,
  }
}

/** Adds the rich content to the steps whose messengers may show it. */
function withRich(steps: readonly AskedStep[], item: JsonObject, limits: Limits): readonly AskedStep[] {
  if (!isSent(item[RICH_FIELD.name]) || steps.every(({ channel }) => channel === 'sms')) return steps
  const { rich } = readFields(item, RICH_FIELDS, limits)
  if (rich === undefined) return steps
  return steps.map((step) => (step.channel === 'sms' ? step : { ...step, content: { ...step.content, rich } }))
}

/** The content is the same in all steps that have it. A link for opting out is in their texts. */
function checkRichSteps(steps: readonly AskedStep[], unsubscribeLink = false): void {
  const rich = steps.find(({ content }) => content.rich !== undefined)?.content.rich
  if (rich === undefined) return
  if (unsubscribeLink && rich.type !== 'suggestions') throw new ItemRefused(notTogether('unsubscribe_link', rich.type))
  const showing = steps.filter(({ content }) => content.rich !== undefined)
  checkRich(rich, RICH_FIELD.name, showing)
}

/** Throws ItemRefused for a sender name that the account may not use. */
export function checkSenders(
  { account, directory, key }: Scope,
  steps: readonly Pick<AskedStep, 'channel' | 'sender'>[],
  phone: Phone,
): void {
  for (const { channel, sender } of steps) {
    if (key.test && isTestSender(sender)) continue
    if (!directory.isApproved(account.id, channel, sender, phone))
      throw new ItemRefused(ITEM_ERRORS.alphaName, `${channel}_signature`)
  }
}

type ReadStep = (scope: Scope, item: JsonObject, schema: SendSchema) => AskedStep

const READ_STEP: Readonly<Record<MessageChannel, ReadStep>> = {
  rcs: (scope, item, schema) => {
    const fields = readFields(item, RCS_FIELDS, scope.tools.limits)
    return {
      channel: 'rcs',
      sender: fields.rcsSignature,
      content: rcsContent(fields),
      lifetimeSeconds: fields.rcsLifetime ?? usualLifetime(scope, 'rcs', schema.channels.length),
    }
  },
  chatapp: (scope, item, schema) => {
    const fields = readFields(item, schema.lifetimes ? CHATAPP_TIMED_FIELDS : CHATAPP_FIELDS, scope.tools.limits)
    const { chatappType: type, chatappMessage, chatappImage, chatappLink, chatappButton } = fields
    const withImage = type.includes('image')
    const withLink = type.includes('link')
    return {
      channel: 'chatapp',
      sender: fields.chatappSignature,
      content: textContent(
        type.includes('text') ? (chatappMessage ?? '') : '',
        withImage ? chatappImage : undefined,
        withLink ? chatappLink : undefined,
        withLink ? chatappButton : undefined,
      ),
      lifetimeSeconds: fields.chatappLifetime ?? usualLifetime(scope, 'chatapp', schema.channels.length),
    }
  },
  sms: (scope, item, schema) => {
    const { defaultSmsSender } = scope.account.settings
    const whole = isSent(item['sms_signature']) ? item : { ...item, sms_signature: defaultSmsSender }
    const fields = readFields(whole, schema.lifetimes ? SMS_TIMED_FIELDS : SMS_FIELDS, scope.tools.limits)
    return {
      channel: 'sms',
      sender: fields.smsSignature ?? '',
      content: { kind: 'text', text: fields.smsMessage },
      lifetimeSeconds: fields.smsLifetime ?? usualLifetime(scope, 'sms', schema.channels.length),
    }
  },
}

/**
 * RCS opens addresses by buttons only: a link without a button is appended to the text, unless the text contains it.
 */
function rcsContent({ rcsMessage, rcsImage, rcsLink, rcsButton }: Values<typeof RCS_FIELDS>): TextContent {
  if (rcsLink === undefined || rcsButton !== undefined) return textContent(rcsMessage, rcsImage, rcsLink, rcsButton)
  const text = rcsMessage.includes(rcsLink) ? rcsMessage : `${rcsMessage}\n${rcsLink}`
  const most = rcsImage === undefined ? RCS_TEXT_MAX : RCS_TEXT_MAX_WITH_IMAGE
  if (!fitsWithin(text, most)) throw new ItemRefused(tooLong('rcs_message', most, 'rcs_link'))
  return textContent(text, rcsImage, undefined, undefined)
}

/** Default lifetime of a step in a plan of so many steps, seconds. */
export function usualLifetime({ tools, account }: Scope, channel: MessageChannel, steps: number): number {
  const isAccounts = channel !== 'rcs' && steps > 1
  return isAccounts ? account.settings.stepLifetimeSeconds : tools.limits.lifetimeDefaultSeconds
}

function textContent(
  text: string,
  image: string | undefined,
  link: string | undefined,
  button: string | undefined,
): TextContent {
  const content: { -readonly [K in keyof TextContent]: TextContent[K] } = { kind: 'text', text }
  if (image !== undefined) content.image = image
  if (button !== undefined) content.button = button
  if (link !== undefined) content.link = link
  return content
}

function inPlainLetters(step: AskedStep): AskedStep {
  if (step.channel !== 'sms') return step
  return { ...step, content: { ...step.content, text: transliterate(step.content.text) } }
}

/** Counts the parts of a step, in plain letters if the account wants those, and prices it. */
export function priceStep(scope: Scope, { phone, operator }: RatedNumber, asked: AskedStep): Step {
  const { account, key, directory, tools, now, chatappName } = scope
  const step = account.settings.transliterateSms ? inPlainLetters(asked) : asked
  const parts = step.channel === 'sms' ? countParts(step.content.text) : 1
  if (parts > tools.limits.smsParts) throw new ItemRefused(tooManyParts('sms_message', tools.limits.smsParts))
  const { channel, sender, content, lifetimeSeconds } = step
  const { id: accountId, currency } = account
  const partMicros = directory.tariff.priceOf({ phone, operator, accountId, currency, channel, at: now })
  // Test keys work without prices.
  if (partMicros === null && !key.test) throw new ItemRefused(noPrice(channel))
  // Earlier versions accepted higher prices than a message can cost.
  if (partMicros !== null && partMicros > MAX_RATE) throw new ItemRefused(noPrice(channel))
  const priceMicros = timesMicros(partMicros ?? NO_MONEY, parts)
  const priced = { channel, sender, content, lifetimeSeconds, priceMicros, parts }
  return channel === 'chatapp' && chatappName !== CHATAPP ? { ...priced, channelName: chatappName } : priced
}
