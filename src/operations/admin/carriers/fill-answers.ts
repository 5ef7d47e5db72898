/** Makes the settings of a carrier from the ready settings of a provider and an operator's answers. */

import { isNamedValue, VALUE_RULE } from '../../../domain/text/named-values.ts'
import { nearestName } from '../../../domain/text/nearest-name.ts'
import type { Random } from '../../../ports/system/random.ts'

import { type FieldError, FieldRefused } from '../fields/field-refused.ts'
import type { Provider, Question } from '../fields/provider-file.ts'
import { KEPT } from './kept-secrets.ts'

export type Answers = Readonly<Record<string, string>>

const MADE_BYTES = 24

/**
 * Returns the settings. Answers that are not given are those of the carrier's `stored` settings, if it is of the same
 * provider, or the defaults. Throws FieldRefused that names each missing, wrong and unknown answer.
 */
export function fillAnswers(
  provider: Provider,
  answers: Answers,
  stored: unknown,
  random: Random,
): Readonly<Record<string, unknown>> {
  const known = knownAnswers(provider, stored)
  const asked = Object.entries(provider.ask)
  const errors: FieldError[] = Object.keys(answers)
    .filter((name) => !Object.hasOwn(provider.ask, name))
    .map((name) => unknownAnswer(name, provider))
  const values = asked.map(([name, question]) => {
    const given = Object.hasOwn(answers, name) ? answers[name]?.trim() : undefined
    const value = given || known.get(name) || question.default || (question.made ? make(random) : '')
    const rule = ruleBroken(question, value, value === KEPT && known.has(name))
    if (rule !== null) errors.push({ field: `answers.${name}`, detail: rule })
    return [name, value, question.secret === true] as const
  })
  if (errors.length > 0) {
    const list = errors.map(({ field, detail }) => `${field}: ${detail}`).join('; ')
    throw FieldRefused.of(errors, `${provider.name}: ${list}`)
  }
  const of = (isSecret: boolean) =>
    Object.fromEntries(values.flatMap(([name, value, secret]) => (secret === isSecret ? [[name, value]] : [])))
  return {
    ...provider.settings,
    constants: of(false),
    secrets: of(true),
    provider: { name: provider.name, version: provider.version },
  }
}

/**
 * Returns the answers that a carrier of the provider has, secrets as `<kept>`. Those that Posthorn makes unless they
 * are given are no secrets of the account there: they stay after a change of the host too.
 */
export function knownAnswers({ name, ask }: Provider, stored: unknown): ReadonlyMap<string, string> {
  const { provider, constants, secrets } = Object(stored) as Readonly<Record<string, unknown>>
  if (Object(provider).name !== name) return new Map()
  return new Map(
    Object.entries(ask).flatMap(([each, { secret = false, made = false }]) => {
      const value: unknown = Object(secret ? secrets : constants)[each]
      return typeof value === 'string' ? [[each, secret && !made ? KEPT : value] as const] : []
    }),
  )
}

/** Returns null for a good value. Repeats no value, which may be a secret. */
function ruleBroken({ title, help, pattern, rule }: Question, value: string, isKept: boolean): string | null {
  if (value === '') return `required: ${title}. ${help}`
  if (isKept) return null
  if (!isNamedValue(value)) return `must be ${VALUE_RULE}`
  const isGood = pattern === undefined || new RegExp(`^(?:${pattern})$`).test(value)
  return isGood ? null : `must be ${rule ?? `text that matches ${pattern}`}`
}

function unknownAnswer(name: string, { ask }: Provider): FieldError {
  return { field: `answers.${name.slice(0, 40)}`, detail: ruleOfUnknown(name, Object.keys(ask)) }
}

/** Returns what is wrong with an answer that is not `asked`. */
export function ruleOfUnknown(name: string, asked: readonly string[]): string {
  const nearest = nearestName(name, asked)
  return `is not asked; ${nearest === null ? `asked are ${asked.join(', ')}` : `did you mean ${nearest}?`}`
}

function make(random: Random): string {
  return Buffer.from(random.bytes(MADE_BYTES)).toString('base64url')
}
