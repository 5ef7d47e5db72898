/** Every text of an error has a code that says more than that something is wrong. */
import { describe, expect, test } from 'vitest'
import { ITEM_ERROR_ADVICE, REQUEST_ERROR_ADVICE } from '../../scripts/reference/error-advice.ts'
import { writeItemError, writeRefusal } from '../../src/contract/request/envelope.ts'
import { codeOf, ERROR_CODES } from '../../src/contract/request/error-codes.ts'
import * as texts from '../../src/contract/request/error-texts.ts'
import { UPLOAD_ERRORS } from '../../src/operations/bulk/upload-errors.ts'

const { json, utf8, envelope, data, idempotencyKeyEmpty } = texts.REQUEST_ERRORS

/** Of the whole request, about no field of an operation. */
const INVALID_REQUESTS = [
  json,
  utf8,
  envelope,
  data,
  idempotencyKeyEmpty,
  texts.idempotencyKeyTooLong(255),
  texts.jsonTooDeep(32),
]

describe('a code', () => {
  test('stands for every text of the reference, which has them all', () => {
    const all = [...REQUEST_ERROR_ADVICE, ...ITEM_ERROR_ADVICE].map(({ text }) => text.replaceAll('<field>', 'field'))
    const vague = all.filter((text) => codeOf(text) === 'invalid_request' && !text.startsWith('data: '))
    expect(vague.toSorted()).toEqual(INVALID_REQUESTS.filter((text) => !text.startsWith('data: ')).toSorted())
  })

  test('says which limit a request has exceeded', () => {
    expect(codeOf(texts.rateLimited(5))).toBe('rate_limited')
    expect(codeOf(texts.tooManyBytes(5))).toBe('rate_limited')
    expect(codeOf(texts.tooManyLookupsPerSecond(5))).toBe('rate_limited')
    expect(codeOf(texts.bodyTooLarge(8))).toBe('too_large')
    expect(codeOf(UPLOAD_ERRORS.tooManyBytes)).toBe('too_large')
    expect(codeOf(texts.tooManyOperations(9))).toBe('too_many_operations')
    expect(codeOf(texts.tooManyMembers(9))).toBe('invalid_request')
  })

  test('is one for all limits of an account, and one for all rules of fields', () => {
    const guards = ['day', 'calls', 'phone', 'country', 'prefix', 'verify', 'verify phone', 'verify address'] as const
    const limits = [...guards, 'reply' as const].map((guard) => texts.limitReached(guard, 'messages'))
    expect(new Set([...limits, texts.limitReached('day', 'money')].map(codeOf))).toEqual(new Set(['limit_reached']))
    const rules = [texts.required('phone'), texts.notAnId(64), texts.unknownType('rich.cards[2]', ['a'])]
    expect(new Set(rules.map(codeOf))).toEqual(new Set(['invalid_field']))
    expect(codeOf(texts.needsCountryCode('phone'))).toBe('invalid_phone')
    expect(codeOf(texts.noPrice('viber' as 'chatapp'))).toBe('no_price')
    expect(codeOf(texts.needsScope(['send']))).toBe('not_allowed')
  })

  test('is a word that needs no quoting', () => {
    expect(ERROR_CODES.filter((code) => !/^[a-z]+(?:_[a-z]+)*$/.test(code))).toEqual([])
  })

  test('follows the text in refusals and in failed results', () => {
    expect(writeRefusal('Access denied')).toBe('{"success":false,"error":"Access denied","code":"access_denied"}')
    expect(writeItemError('5', 'phone: required')).toBe(
      '{"success":false,"error":"phone: required","code":"invalid_field","data":{"id":5},"field":"phone"}',
    )
  })
})
