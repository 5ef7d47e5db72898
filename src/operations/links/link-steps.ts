/** Puts the links of ours into the texts of a send: short links, and the link with which a recipient unsubscribes. */
import { CHANNEL_FORMS } from '../../contract/channels/channel-forms.ts'
import { fitsWithin } from '../../contract/fields/characters.ts'
import { needsTexts, tooLong } from '../../contract/request/error-texts.ts'
import { ItemRefused } from '../../contract/request/refused.ts'
import type { MessageChannel } from '../../domain/channels/channel.ts'
import type { TextContent } from '../../domain/message/plan.ts'
import type { ShortLinks } from './shorten-links.ts'

interface LinkedStep {
  readonly channel: MessageChannel
  readonly content: TextContent
}

/** The flags of a send. */
export interface AskedLinks {
  readonly shortLink?: boolean
  readonly unsubscribeLink?: boolean
}

/** Where the unsubscribe link stands in a text; without it the link is a line of its own at the end. */
const UNSUBSCRIBE_PLACE = '{{unsubscribe}}'

/** Throws ItemRefused for a text that links make too long, and for a step without a text to unsubscribe in. */
export function linkSteps<S extends LinkedStep>(
  steps: readonly S[],
  { shortLink = false, unsubscribeLink = false }: AskedLinks,
  links: ShortLinks,
): readonly S[] {
  const shortened = shortLink ? steps.map((step) => ({ ...step, content: links.shorten(step.content) })) : steps
  if (shortLink) checkLengths(shortened, 'short_link')
  if (!unsubscribeLink) return shortened
  const linked = shortened.map((step, index) => ({ ...step, content: unsubscribable(step.content, links, index) }))
  checkLengths(linked, 'unsubscribe_link')
  return linked
}

function unsubscribable(content: TextContent, links: ShortLinks, step: number): TextContent {
  const { text } = content
  if (text === '') throw new ItemRefused(needsTexts('unsubscribe_link'))
  const link = links.unsubscribe(step)
  if (!text.includes(UNSUBSCRIBE_PLACE)) return { ...content, text: `${text}\n${link}` }
  return { ...content, text: text.replaceAll(UNSUBSCRIBE_PLACE, () => link) }
}

/** A link of ours can be longer than what it replaces, so texts are measured again. SMS is measured in parts. */
function checkLengths(steps: readonly LinkedStep[], flag: string): void {
  for (const { channel, content } of steps) {
    const most = CHANNEL_FORMS[channel].maxText(content)
    if (most !== null && !fitsWithin(content.text, most))
      throw new ItemRefused(tooLong(`${channel}_message`, most, flag))
  }
}
