import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { STATUSES } from '../../src/domain/message/status.ts'
import { toMicros } from '../../src/domain/money/money.ts'
import {
  reportId,
  statusFacts,
  writeClickReport,
  writeStatusFacts,
  writeStatusReport,
} from '../../src/domain/reports/report.ts'
import { BEGINNING, buildMessage, buildPlan } from '../support/build-message.ts'

/** What a client may send as its id, as the JSON token that it was. */
const clientIds = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 64 }).map((text) => JSON.stringify(text)),
  fc.bigInt({ min: 0n, max: 10n ** 30n }).map(String),
)

describe('a report', () => {
  test('describes a message that was just accepted, field by field', () => {
    const report = writeStatusReport(buildMessage({ clientId: '12' }), BEGINNING, 3)
    expect(report).toMatchObject({ messageId: 65, accountId: 1, number: 3 })
    expect(JSON.parse(report.body)).toEqual({
      type: 'message.status',
      timestamp: '2026-01-01T00:00:00.000Z',
      id: 12,
      msg_id: 65,
      phone: 4915112345678,
      status: 'QUEUED',
      channel: 'sms',
      parts: 1,
      price: 0,
      currency: 'EUR',
      error: null,
      steps: [{ channel: 'sms', status: 'QUEUED', at: '2026-01-01T00:00:00.000Z' }],
    })
  })

  test('contains the price in units of the currency, and why a message was not delivered', () => {
    const { journey, ...rest } = buildMessage({ plan: buildPlan('rcs', 'sms') })
    const [first] = journey.steps
    const failed = {
      ...journey,
      chargedMicros: toMicros(50_000),
      steps: first ? [{ ...first, detail: 'err:"1"\n' }] : [],
    }
    const body = JSON.parse(writeStatusReport({ ...rest, journey: failed }, BEGINNING, 0).body)
    expect(body).toMatchObject({ price: 0.05, error: 'err:"1"\n' })
  })

  test.each(['123456789012345678901234567890', '9223372036854775807', '"a-1"', '"0012"', '"\\u00e9\\/\\""', '"😀"'])(
    'gives the client its id %s back letter for letter',
    (clientId) => {
      expect(writeStatusReport(buildMessage({ clientId }), BEGINNING, 0).body).toContain(`"id":${clientId},"msg_id":`)
    },
  )

  test('is valid JSON with any id, clicked address and carrier text', () => {
    const words = fc.string({ unit: 'binary' })
    fc.assert(
      fc.property(fc.option(clientIds), words, words, (clientId, url, detail) => {
        const message = buildMessage({ clientId })
        const click = writeClickReport(message, { at: BEGINNING, url, code: 'abc' }, 0)
        expect(JSON.parse(click.body)).toEqual({
          type: 'link.clicked',
          timestamp: '2026-01-01T00:00:00.000Z',
          id: JSON.parse(clientId ?? 'null'),
          msg_id: message.id,
          phone: 4915112345678,
          url,
          code: 'abc',
        })
        const steps = message.journey.steps.map((state) => ({ ...state, detail }))
        const status = writeStatusReport({ ...message, journey: { ...message.journey, steps } }, BEGINNING, 0)
        expect(JSON.parse(status.body)).toMatchObject({ id: JSON.parse(clientId ?? 'null'), error: detail })
      }),
    )
  })

  test('has the members of the status that the client may ask for', () => {
    const text = fc.string({ unit: 'binary' })
    const states = fc.array(
      fc.record({ status: fc.constantFrom(...STATUSES), at: fc.nat(), detail: fc.option(text), channelName: text }),
      { minLength: 1, maxLength: 3 },
    )
    const paid = fc.nat(10_000_000_000).map(toMicros)
    fc.assert(
      fc.property(states, paid, text, fc.option(fc.nat()), fc.option(fc.nat(2)), (steps, charged, currency, at, by) => {
        const message = buildMessage()
        const [begun] = message.journey.steps
        const [planned] = message.plan
        const journey = {
          ...message.journey,
          step: steps.length - 1,
          chargedMicros: charged,
          deliveredBy: by,
          steps: begun ? steps.map(({ channelName: _, ...state }) => ({ ...begun, ...state })) : [],
          ...(at === null ? {} : { sendAt: at }),
        }
        const plan = planned ? steps.slice(at ?? 0).map(({ channelName }) => ({ ...planned, channelName })) : []
        const seen = { ...message, currency, plan, journey }
        expect(`{${writeStatusFacts(seen)}}`).toBe(JSON.stringify(statusFacts(seen)))
      }),
    )
  })

  test('is written the same each time, and has an id of its own that stays', () => {
    const message = buildMessage()
    const report = writeStatusReport(message, BEGINNING, 2)
    expect(writeStatusReport(message, BEGINNING, 2)).toEqual(report)
    expect(reportId(report)).toBe('rep_65_2')
    const ids = [message, buildMessage({ counter: 2 })].flatMap((each) =>
      [0, 1, 12].map((number) => reportId(writeStatusReport(each, BEGINNING, number))),
    )
    expect(new Set(ids).size).toBe(6)
  })
})
