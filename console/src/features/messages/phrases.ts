/**
 * Details of a timeline in the user's language: the gateway writes fixed phrases in English. Words of carriers and of
 * clients' servers stay as they are.
 */
import type { Details } from './details.ts'

interface PhraseTools {
  readonly details: Details
  readonly formats: { moments(text: string): string }
}

interface Pattern {
  readonly form: RegExp
  write(groups: readonly string[], tools: PhraseTools): string
}

const PATTERNS: readonly Pattern[] = [
  {
    form: /^quiet hours until (\d{4}-\S+)$/,
    write: ([until = ''], { details, formats }) => details.quietHours(formats.moments(until)),
  },
  {
    form: /^number \d+(?:: (.*?))??(?:, (\d+) failed (?:try|tries))?$/s,
    write: ([answer = '', tries = ''], tools) =>
      [translate(answer, tools), tries === '' ? '' : tools.details.failedTries(Number(tries))]
        .filter((each) => each !== '')
        .join(' · '),
  },
  {
    form: /^(\S+) for (.*), opened by (\d+) humans and (\d+) robots$/s,
    write: ([code = '', target = '', humans = '', robots = ''], { details }) =>
      details.link(code, target, details.openedBy(Number(humans), Number(robots))),
  },
  { form: /^as (\S+)$/, write: ([ref = ''], { details }) => details.takenAs(ref) },
]

/** Returns the detail as it is if it is no phrase of the gateway. */
export function translateDetail(detail: string, tools: PhraseTools): string {
  // One for each part of the message.
  return detail
    .split('; ')
    .map((each) => translate(each, tools))
    .join('; ')
}

function translate(text: string, tools: PhraseTools): string {
  const fixed: Readonly<Record<string, string>> = tools.details.fixed
  const found = fixed[text]
  if (found !== undefined) return found
  for (const { form, write } of PATTERNS) {
    const groups = form.exec(text)?.slice(1)
    if (groups !== undefined) return write(groups, tools)
  }
  return tools.formats.moments(text)
}
