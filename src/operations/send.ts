/** Every send: one channel alone and the chains. One step for each channel of the operation, in the same order. */
import { isAtMost } from '../contract/characters.ts'
import type { JsonObject } from '../contract/envelope.ts'
import { ITEM_ERRORS, noPrice, tooLong, tooManyParts } from '../contract/error-texts.ts'
import {
  CHATAPP_FIELDS,
  CHATAPP_LIFETIME_FIELD,
  CHATAPP_TEXT_MOST,
  ID_FIELD,
  PHONE_FIELD,
  RCS_FIELDS,
  RCS_TEXT_MOST,
  RCS_TEXT_MOST_WITH_IMAGE,
  readFields,
  SENDING_FIELDS,
  SMS_FIELDS,
  SMS_LIFETIME_FIELD,
} from '../contract/fields.ts'
import type { SendSchema } from '../contract/operation-schemas.ts'
import { ItemRefused } from '../contract/refused.ts'
import type { MessageChannel } from '../domain/channel.ts'
import { beginJourney, type Message } from '../domain/message.ts'
import { timesMicros } from '../domain/money.ts'
import type { Phone } from '../domain/phone.ts'
import { partsOf, type Step, type TextContent } from '../domain/plan.ts'
import { countParts } from '../domain/text-parts.ts'
import { transliterate } from '../domain/transliterate.ts'
import type { ShortLink } from '../ports/store.ts'
import type { Planned, Scope } from './planned.ts'
import { ShortLinks } from './shorten-links.ts'

/** A step as the client described it: not shortened, counted or priced yet. */
interface AskedStep {
  readonly channel: MessageChannel
  readonly sender: string
  readonly content: TextContent
  readonly lifetimeSeconds: number
}

const WHO_FIELDS = [ID_FIELD, PHONE_FIELD] as const
const CHATAPP_TIMED_FIELDS = [...CHATAPP_FIELDS, CHATAPP_LIFETIME_FIELD] as const
const SMS_TIMED_FIELDS = [...SMS_FIELDS, SMS_LIFETIME_FIELD] as const

/** Throws an ItemRefused for an item that cannot be sent. */
export function planSend(scope: Scope, item: JsonObject, schema: SendSchema): Planned {
  const { account, directory, now, tools } = scope
  const { id: clientId = null, phone } = readFields(item, WHO_FIELDS, tools.limits)
  const asked = schema.channels.map((channel) => READ_STEP[channel](scope, item, schema))
  const { shortLink = false, hook = null } = readFields(item, SENDING_FIELDS, tools.limits)
  for (const { channel, sender } of asked) {
    if (!directory.isApproved(account.id, channel, sender)) throw new ItemRefused(ITEM_ERRORS.alphaName)
  }

  const id = scope.newId()
  const shortened = shortLink ? shortenSteps(scope, asked, id) : { steps: asked, links: NO_LINKS }
  const plain = account.settings.transliterateSms ? shortened.steps.map(inPlainLetters) : shortened.steps
  const plan = plain.map((step) => priceStep(scope, phone, step))
  const message: Message = {
    id,
    accountId: account.id,
    clientId,
    phone,
    plan,
    hook,
    reportSteps: account.settings.reportSteps,
    currency: account.currency,
    createdAt: now,
    journey: beginJourney(plan, now),
  }
  return {
    draft: { kind: 'send', id: clientId, parts: partsOf(plan) },
    item: {
      kind: 'message',
      message,
      waits: !tools.outbox.hasRoom(plan[0]?.channel ?? 'sms'),
      links: shortened.links,
      uniqueId: account.settings.uniqueIds && clientId !== null,
    },
  }
}

const NO_LINKS: readonly ShortLink[] = []

type ReadStep = (scope: Scope, item: JsonObject, schema: SendSchema) => AskedStep

const READ_STEP: Readonly<Record<MessageChannel, ReadStep>> = {
  rcs: ({ tools }, item) => {
    const { limits } = tools
    const fields = readFields(item, RCS_FIELDS, limits)
    return {
      channel: 'rcs',
      sender: fields.rcsSignature,
      content: textContent(fields.rcsMessage, fields.rcsImage, fields.rcsLink, fields.rcsButton),
      lifetimeSeconds: fields.rcsLifetime ?? limits.lifetimeDefaultSeconds,
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
      lifetimeSeconds: fields.chatappLifetime ?? usualLifetime(scope, schema),
    }
  },
  sms: (scope, item, schema) => {
    const fields = readFields(item, schema.lifetimes ? SMS_TIMED_FIELDS : SMS_FIELDS, scope.tools.limits)
    return {
      channel: 'sms',
      sender: fields.smsSignature,
      content: { kind: 'text', text: fields.smsMessage },
      lifetimeSeconds: fields.smsLifetime ?? usualLifetime(scope, schema),
    }
  },
}

/** Of a chat-app or an SMS step, seconds. */
function usualLifetime({ tools, account }: Scope, { channels }: SendSchema): number {
  return channels.length === 1 ? tools.limits.lifetimeDefaultSeconds : account.settings.stepLifetimeSeconds
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

/** A short address can be longer than the one it stands for, so the texts are measured once more. */
function shortenSteps({ tools, now }: Scope, asked: readonly AskedStep[], messageId: Message['id']) {
  const expiresAt = now + tools.limits.shortLinkSeconds * 1000
  const links = new ShortLinks({ messageId, expiresAt, publicUrl: tools.publicUrl, random: tools.random })
  const steps = asked.map((step) => ({ ...step, content: links.shorten(step.content) }))
  for (const { channel, content } of steps) {
    if (channel === 'rcs') {
      const most = content.image === undefined ? RCS_TEXT_MOST : RCS_TEXT_MOST_WITH_IMAGE
      if (!isAtMost(content.text, most)) throw new ItemRefused(tooLong('rcs_message', most, 'short_link'))
    } else if (channel === 'chatapp' && !isAtMost(content.text, CHATAPP_TEXT_MOST)) {
      throw new ItemRefused(tooLong('chatapp_message', CHATAPP_TEXT_MOST, 'short_link'))
    }
  }
  return { steps, links: links.made() }
}

function inPlainLetters(step: AskedStep): AskedStep {
  if (step.channel !== 'sms') return step
  return { ...step, content: { ...step.content, text: transliterate(step.content.text) } }
}

function priceStep({ account, directory, tools }: Scope, phone: Phone, step: AskedStep): Step {
  const parts = step.channel === 'sms' ? countParts(step.content.text) : 1
  if (parts > tools.limits.smsParts) throw new ItemRefused(tooManyParts('sms_message', tools.limits.smsParts))
  const partMicros = directory.tariff.priceOf(account.id, account.currency, step.channel, phone)
  if (partMicros === null) throw new ItemRefused(noPrice(step.channel))
  const { channel, sender, content, lifetimeSeconds } = step
  return { channel, sender, content, lifetimeSeconds, priceMicros: timesMicros(partMicros, parts), parts }
}
