/** Rich content for messengers that have less: suggestions as lines of text, and cards as text, image and button. */
import type { TextContent } from './message.ts'
import { type Rich, type Suggestion, textOfCard } from './rich.ts'

/** Returns an action as text, such as `Call us: +491701234500`; null for what only a tap can do. */
function lineOf(suggestion: Suggestion): string | null {
  const { text } = suggestion
  switch (suggestion.type) {
    case 'reply':
    case 'ask_location':
      return null
    case 'url':
      return `${text}: ${suggestion.url}`
    case 'dial':
      return `${text}: +${suggestion.phone}`
    case 'location': {
      const { latitude, longitude, label } = suggestion
      const map = `https://maps.google.com/?q=${latitude},${longitude}`
      return `${text}: ${label === undefined ? map : `${label}, ${map}`}`
    }
    case 'calendar':
      return `${text}: ${suggestion.title}, ${writeTime(suggestion.start)} – ${writeTime(suggestion.end)} UTC`
  }
}

/** `2026-03-01 09:00`. */
function writeTime(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ')
}

/** Returns a text with lines below it. */
export function withLines(text: string, suggestions: readonly Suggestion[]): string {
  return [text, ...suggestions.map(lineOf)].filter((each) => each !== null && each !== '').join('\n')
}

/**
 * Returns a card, or suggestions below a text, as plain content: the first address becomes the button, other actions
 * lines of the text, and what only a tap can do is left out. Null for a carousel and a file.
 */
export function asPlain(content: TextContent, rich: Rich): TextContent | null {
  if (rich.type === 'carousel' || rich.type === 'file') return null
  const { rich: _, ...plain } = content
  const { suggestions = [] } = rich
  const base: TextContent =
    rich.type === 'suggestions' ? plain : { kind: 'text', text: textOfCard(rich), ...mediaOf(rich) }
  const opened = base.button === undefined ? suggestions.find(({ type }) => type === 'url') : undefined
  const text = withLines(
    base.text,
    suggestions.filter((each) => each !== opened),
  )
  return opened?.type === 'url' ? { ...base, text, button: opened.text, link: opened.url } : { ...base, text }
}

function mediaOf({ image, video }: Extract<Rich, { type: 'card' }>): Pick<TextContent, 'image'> {
  const file = image ?? video
  return file === undefined ? {} : { image: file }
}
