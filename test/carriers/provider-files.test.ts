/** Every file of `providers/` has settings that an HTTP carrier takes, made of its questions and nothing else. */
import { describe, expect, test } from 'vitest'
import { checkCarrierSettings } from '../../src/app/carriers/carrier-drivers.ts'
import { readyProviders } from '../../src/app/carriers/ready-providers.ts'
import { fillAnswers } from '../../src/operations/admin/carriers/fill-answers.ts'
import type { Provider } from '../../src/operations/admin/fields/provider-file.ts'
import { SeededRandom } from '../support/seeded-random.ts'

const NAMES = /\{\{\$(\w+)\}\}/g

/** What an operator could answer. */
function answersTo({ ask }: Provider) {
  const answers = Object.entries(ask).map(([name, question]) => [name, question.example ?? question.default])
  return Object.fromEntries(answers.map(([name, value]) => [name, value ?? 'Abcdefgh0123456789']))
}

describe.each(readyProviders().map((provider) => [provider.name, provider] as const))('%s', (name, provider) => {
  const settings = () => fillAnswers(provider, answersTo(provider), null, new SeededRandom())

  test('has settings that a carrier takes', () => {
    expect(name).toMatch(/^[a-z0-9][a-z0-9-]{0,39}$/)
    expect(() => checkCarrierSettings('http', settings())).not.toThrow()
  })

  test('asks for what its settings use, and for nothing else', () => {
    const used = [...JSON.stringify(provider.settings).matchAll(NAMES)].map((match) => match[1])
    expect(Object.keys(provider.ask).sort()).toEqual([...new Set(used)].sort())
  })

  test('holds no secret outside of its questions', () => {
    const secrets = Object.entries(provider.ask).filter(([, { secret }]) => secret === true)
    expect(secrets.filter(([, { default: value }]) => value !== undefined)).toEqual([])
    const named = Object.entries(provider.ask).filter(([each]) => /(?<!public)key|secret|token|password/i.test(each))
    expect(named.filter(([, { secret }]) => secret !== true)).toEqual([])
  })

  test('has rules in words for its patterns, and sentences for its help and limits', () => {
    const questions = Object.values(provider.ask)
    expect(questions.filter(({ pattern, rule }) => (pattern === undefined) !== (rule === undefined))).toEqual([])
    const sentences = [...questions.map(({ help }) => help), ...provider.limits]
    expect(sentences.filter((each) => !/^[\p{Lu}\d].*\.$/u.test(each) && !/^[a-z][\w.]*[,. ].*\.$/.test(each))).toEqual(
      [],
    )
  })
})
