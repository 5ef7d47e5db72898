/** Explains wrong usage that commander finds: what is wrong and what is allowed. */
import type { CommanderError } from 'commander'

const UNKNOWN = 'commander.unknownCommand'

/** Quotes only options and commands as typed, never values, which may be secret. */
const FORMS: Readonly<Record<string, readonly [pattern: RegExp, sentence: string]>> = {
  'commander.unknownOption': [/^unknown option '([^'=\s]+).*?(?:\n\(Did you mean (.+)\?\))?$/s, '$1: unknown option'],
  'commander.missingMandatoryOptionValue': [/^required option '(?:-\w, )?(--[\w-]+).*$/s, '$1: required'],
  'commander.optionMissingArgument': [/^option '(?:-\w, )?(--[\w-]+).*$/s, '$1: a value is missing'],
  'commander.missingArgument': [/^missing required argument '(.+)'$/s, '<$1>: required'],
  'commander.unknownCommand': [/^unknown command '([^'\n]*)'(?:\n\(Did you mean (.+)\?\))?$/s, '$1: unknown command'],
}

/** Returns null if there is nothing to print: help was shown. */
export function explainUsage({ code, message }: CommanderError): string | null {
  if (/^commander\.(help|helpDisplayed|version)$/.test(code)) return null
  const text = message.replace(/^error: /, '')
  if (code === 'commander.invalidArgument') return explainValue(text)
  const [pattern, sentence] = FORMS[code] ?? [/^$/, '']
  const match = pattern.exec(text)
  if (match === null) return 'wrong usage; see --help'
  const suggestion = match[2]
  const hint =
    suggestion !== undefined ? `; did you mean ${suggestion}?` : code === UNKNOWN ? '; see posthorn help' : ''
  return `${sentence.replace('$1', match[1] ?? '')}${hint}`
}

/**
 * `option '--status <x>' argument 'bogus' is invalid. Allowed choices are A, B.`, or the rule of one of our parsers.
 */
function explainValue(text: string): string {
  const option = /^option '(?:-\w, )?(--[\w-]+)/.exec(text)?.[1]
  const argument = /is invalid for argument '(.+?)'\./.exec(text)?.[1]
  // The value may contain anything, so the rule is what follows the last `invalid`.
  const rule = /^.*(?:is invalid|is invalid for argument '.+?')\. (.+)$/s.exec(text)?.[1] ?? 'wrong value'
  const choices = /^Allowed choices are (.+)\.$/.exec(rule)?.[1]
  return `${option ?? `<${argument}>`}: ${choices === undefined ? rule : `must be one of ${choices}`}`
}
