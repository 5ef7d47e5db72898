/** What is wrong with a draft, at the field where it is: limits of the gateway, and what it says of the message. */
import type { AnswerOf } from '../../api/api.ts'
import { MESSAGE_CHANNELS, type MessageChannel } from '../../texts/channels.ts'
import { useFormats } from '../../texts/formats.ts'
import { gatewayText } from '../../texts/gateway-texts.ts'
import { useComposeTexts } from './compose-texts.ts'
import { type Draft, sendTimeOf } from './draft.ts'

export type SendChoices = AnswerOf<'GET', '/accounts/{account}/messages/choices'>
type Preview = Pick<AnswerOf<'POST', '/accounts/{account}/messages/preview'>, 'error' | 'field'>
export type Problems = Readonly<Partial<Record<keyof Draft | MessageChannel, string>>>

/** Fields of the client API and those of the form. */
const FORM_FIELDS: readonly (readonly [RegExp, keyof Draft])[] = [
  [/^phone$/, 'phone'],
  [/_lifetime$/, 'lifetime'],
  [/^send_at$/, 'sendAt'],
  [/^hook$/, 'hook'],
  [/_message$/, 'text'],
  [/^rich/, 'contents'],
  [/_(image|link|button)$/, 'contents'],
]

export function useProblems(draft: Draft, choices: SendChoices | undefined, preview: Preview | undefined): Problems {
  const texts = useComposeTexts()
  const formats = useFormats()
  const own: Record<string, string> = {}
  const { lifetime } = draft
  if (choices !== undefined && lifetime !== '' && draft.channels.length > 1) {
    const { lifetime_min_seconds: min, lifetime_max_seconds: max } = choices
    const isFine = /^\d{1,9}$/.test(lifetime) && Number(lifetime) >= min && Number(lifetime) <= max
    if (!isFine) own['lifetime'] = texts.lifetimeWrong(formats.number(min), formats.number(max))
  }
  const at = sendTimeOf(draft)
  if (choices !== undefined && at !== null) {
    const ahead = choices.send_ahead_seconds
    if (at < Date.now()) own['sendAt'] = texts.sendAtPast
    else if (at > Date.now() + ahead * 1_000) own['sendAt'] = texts.sendAtFar(formats.duration(ahead))
  }
  const asked = preview?.field ?? null
  const [, name] = (asked === null ? undefined : FORM_FIELDS.find(([form]) => form.test(asked))) ?? []
  const ownText = MESSAGE_CHANNELS.find((each) => asked === `${each}_message` && draft.ownTexts[each] !== '')
  const field = ownText ?? name
  return { ...(field === undefined || preview?.error == null ? {} : { [field]: gatewayText(preview.error) }), ...own }
}
