/** The form of a channel: its fields in a send, and how a step is read from them. */
import type { MessageChannel } from '../../domain/channels/channel.ts'
import type { TextContent } from '../../domain/message/message.ts'
import type { Rich } from '../../domain/message/rich.ts'
import { type Field, isSent, optional, readFields, type Values } from '../fields/fields.ts'
import { LIFETIME } from '../fields/kinds.ts'
import type { RequestObject } from '../request/envelope.ts'
import type { ReadingRules } from '../request/limits.ts'

/** A step as the client described it, before links are shortened and parts counted and priced. */
interface FormStep {
  readonly sender: string
  readonly content: TextContent
  /** Null if the client did not say. */
  readonly lifetimeSeconds: number | null
}

interface ReadingStep {
  readonly limits: ReadingRules
  /** Whether the step may have a lifetime of its own. */
  readonly timed: boolean
  /** The account's sender of the channel for steps that name none; null without one. */
  readonly defaultSender: string | null
}

export interface ChannelForm {
  readonly channel: MessageChannel
  /** In a sentence: "if the chat app fails". */
  readonly called: string
  /** Without the lifetime. */
  readonly fields: readonly Field[]
  readonly lifetime: Field<string, number, false>
  /** Whether it may have its lifetime also as a later step of the chain of the spec. */
  readonly timedInSpecChain: boolean
  /** Values of its fields in examples. */
  readonly example: Readonly<Record<string, unknown>>
  /** Throws an ItemRefused for the first invalid field. */
  readonly readStep: (item: RequestObject, reading: ReadingStep) => FormStep
  /** The most characters of a text with this content; null if it is measured in SMS parts. */
  readonly maxText: (content: Pick<TextContent, 'image'>) => number | null
  /** The fields of a plain text, beside sender and text. */
  readonly plainText: Readonly<Record<string, string>>
  /** Throws an ItemRefused for rich content, at a path, that the channel cannot show beside the content of the step. */
  readonly checkRich?: (rich: Rich, path: string, content: Pick<TextContent, 'text' | 'image' | 'button'>) => void
}

type Parts<F extends readonly Field[]> = Omit<ChannelForm, 'fields' | 'lifetime' | 'readStep'> & {
  readonly fields: F
  /** What the lifetime is for: "the SMS". */
  readonly about: string
  readonly read: (values: Values<F>) => Pick<FormStep, 'sender' | 'content'>
}

export function channelForm<const F extends readonly Field[]>({ about, read, ...form }: Parts<F>): ChannelForm {
  const { channel, fields } = form
  const lifetime = optional(`${channel}_lifetime`, LIFETIME, `Seconds within which ${about} must be delivered.`)
  const signature = `${channel}_signature`
  const timing = [lifetime] as const
  return {
    ...form,
    lifetime,
    readStep(item, { limits, timed, defaultSender }) {
      const whole = defaultSender === null || isSent(item[signature]) ? item : { ...item, [signature]: defaultSender }
      const values = readFields(whole, fields, limits)
      const times: Readonly<Record<string, unknown>> = timed ? readFields(item, timing, limits) : {}
      return { ...read(values), lifetimeSeconds: (times[lifetime.key] as number | undefined) ?? null }
    },
  }
}

/** Returns the content with the parts that were sent. */
export function textContent(parts: {
  readonly text: string
  readonly image: string | undefined
  readonly link: string | undefined
  readonly button: string | undefined
}): TextContent {
  const { text, image, link, button } = parts
  const content: { -readonly [K in keyof TextContent]: TextContent[K] } = { kind: 'text', text }
  if (image !== undefined) content.image = image
  if (button !== undefined) content.button = button
  if (link !== undefined) content.link = link
  return content
}
