/** Targets of reports as text, and the events that a program gets. */

import { describe, expect, test } from 'vitest'
import { originOf } from '../../src/delivery/reports/hook-origin.ts'
import { hideInAddresses } from '../../src/domain/accounts/audit.ts'
import { hookName } from '../../src/domain/reports/counted-hooks.ts'
import { isAskedFor, jasminLevelOf, kannelValueOf, readProgramEvent } from '../../src/domain/reports/program-event.ts'
import { hookOf } from '../../src/domain/reports/report-schedule.ts'
import { isTarget, type ReportTarget, readTarget, urlOf, writeTarget } from '../../src/domain/reports/report-target.ts'
import { statusBody } from '../support/status-body.ts'

describe('a target', () => {
  test.each<[string, ReportTarget, string]>([
    [
      'of Kannel with a query',
      { form: 'kannel', to: 'https://shop.example/dlr?id=7&status=%d', facts: { mask: '31', from: 'Shop & Co' } },
      'kannel:https://shop.example/dlr',
    ],
    [
      'of Kannel without',
      { form: 'kannel', to: 'http://shop.example/%p', facts: { mask: '3' } },
      'kannel:http://shop.example/%p',
    ],
    [
      'of an operator',
      { form: 'kannel', to: 'https://shop.example/mo?from=%p&text=%a', facts: {} },
      'kannel:https://shop.example/mo',
    ],
    [
      'with a second question mark',
      { form: 'jasmin', to: 'https://s.example/?to=http://x/?y', facts: { level: '2' } },
      'jasmin:https://s.example/',
    ],
    ['of a login with any name', { form: 'smpp', to: 'a b?%/ü', facts: { bits: '1' } }, 'smpp:a%20b%3F%25%2F%C3%BC'],
    ['of a login alone', { form: 'smpp', to: 'wholesale', facts: {} }, 'smpp:wholesale'],
  ])(
    '%s is read as it was written, and what differs between messages stands behind the question mark',
    (_, target, hook) => {
      const address = writeTarget(target)
      expect(readTarget(address)).toEqual(target)
      expect(hookOf(address)).toBe(hook)
    },
  )

  test('white space in an address does not become a fact', () => {
    const address = writeTarget({ form: 'kannel', to: 'https://a.example/x?a=1 mask=0', facts: { mask: '3' } })
    expect(readTarget(address)).toMatchObject({ to: 'https://a.example/x?a=1%20mask=0', facts: { mask: '3' } })
  })

  test.each([
    'https://kannel:1/',
    'http://shop.example/kannel:',
    'feed:',
    'KANNEL:https://a.example',
    'jasmine:https://a.example',
  ])('%s is none', (address) => {
    expect(readTarget(address)).toBeNull()
    expect(urlOf(address)).toBe(address)
  })

  test('shares the calls of its receiver with other hooks there', () => {
    expect(originOf('kannel:https://shop.example/dlr?id=1 mask=1')).toBe(originOf('https://shop.example/reports'))
    expect(originOf('jasmin:http://shop.example:8080/x')).toBe('http://shop.example:8080')
    expect(originOf('smpp:wholesale?bits=1')).toBe('smpp:wholesale?bits=1')
  })

  test('is counted and shown without what it may have as secrets', () => {
    const address = 'kannel:https://me:pw@shop.example/dlr?key=s mask=1'
    expect(hookName(address)).toBe('kannel:https://shop.example/dlr')
    expect(hideInAddresses(address)).toBe('kannel:https://shop.example/dlr')
    expect(hideInAddresses('jasmin:https://me:pw@shop.example/x?y')).toBe('jasmin:https://shop.example/x')
    expect(hideInAddresses('smpp:wholesale?bits=1')).toBe('smpp:wholesale')
    expect(hookName('smpp:wholesale')).toBe('smpp:wholesale')
  })

  test('may be given by operators only with an address or a name', () => {
    const isAddress = (url: string) => URL.canParse(url)
    expect(isTarget('kannel:https://shop.example/?from=%p', isAddress)).toBe(true)
    expect(isTarget('smpp:wholesale', isAddress)).toBe(true)
    expect(isTarget('kannel:shop', isAddress)).toBe(false)
    expect(isTarget('smpp:', isAddress)).toBe(false)
    expect(isTarget(`smpp:${'x'.repeat(65)}`, isAddress)).toBe(false)
    expect(isTarget('https://shop.example/', isAddress)).toBe(false)
    for (const method of ['get', 'post', 'POST']) {
      expect(isTarget(`kannel:https://shop.example/? method=${method}`, isAddress)).toBe(true)
    }
    for (const form of ['kannel', 'jasmin']) {
      expect(isTarget(`${form}:https://shop.example/? method=put`, isAddress)).toBe(false)
    }
    expect(isTarget('kannel:https://shop.example/? method=', isAddress)).toBe(false)
  })
})

const eventOf = (status: string) => {
  const event = readProgramEvent(statusBody({ status }))
  if (event === null) throw new Error(`${status} is no event`)
  return event
}

describe('an event', () => {
  test.each([
    ['ACCEPTED', 8, 'ACCEPTD'],
    ['DELIVERED', 1, 'DELIVRD'],
    ['EXPIRED', 2, 'EXPIRED'],
    ['UNDELIVERABLE', 2, 'UNDELIV'],
    ['UNKNOWN', 2, 'UNKNOWN'],
    ['CANCELLED', 2, 'DELETED'],
    ['REJECTED', 16, 'REJECTD'],
    ['NO ROUTE', 16, 'REJECTD'],
    ['FILTERED', 16, 'REJECTD'],
  ])('%s is %d to a program that asks for all, and %s in a receipt', (status, value, state) => {
    expect(kannelValueOf(eventOf(status), 31)).toBe(value)
    expect(eventOf(status).state).toBe(state)
  })

  test('the first status and a read message are none: they follow or come before one', () => {
    expect(readProgramEvent(statusBody({ status: 'QUEUED' }))).toBeNull()
    expect(readProgramEvent(statusBody({ status: 'READ' }))).toBeNull()
    expect(readProgramEvent('{"type":"link.clicked"}')).toBeNull()
  })

  test('a refusal is a failure to a program that asks for failures alone', () => {
    expect(kannelValueOf(eventOf('REJECTED'), 3)).toBe(2)
    expect(kannelValueOf(eventOf('REJECTED'), 1)).toBeNull()
    expect(kannelValueOf(eventOf('ACCEPTED'), 3)).toBeNull()
  })

  test('has the level of Jasmin that was asked for', () => {
    expect([1, 2, 3].map((asked) => jasminLevelOf(eventOf('ACCEPTED'), asked))).toEqual([1, null, 1])
    expect([1, 2, 3].map((asked) => jasminLevelOf(eventOf('DELIVERED'), asked))).toEqual([null, 2, 2])
    expect([1, 2, 3].map((asked) => jasminLevelOf(eventOf('REJECTED'), asked))).toEqual([1, 2, 2])
  })

  test('is asked for by its target; reports that are no receipts are not', () => {
    const delivered = statusBody({ status: 'DELIVERED' })
    expect(isAskedFor('kannel:https://a.example/? mask=1', delivered)).toBe(true)
    expect(isAskedFor('kannel:https://a.example/? mask=2', delivered)).toBe(false)
    expect(isAskedFor('kannel:https://a.example/', delivered)).toBe(true)
    expect(isAskedFor('jasmin:https://a.example/? level=1', delivered)).toBe(false)
    expect(isAskedFor('smpp:wholesale', delivered)).toBe(true)
    for (const form of ['kannel:https://a.example/', 'jasmin:https://a.example/', 'smpp:x']) {
      expect(isAskedFor(form, '{"type":"balance.low"}')).toBe(false)
      expect(isAskedFor(form, '{"type":"message.inbound"}')).toBe(true)
    }
    expect(isAskedFor('https://a.example/', '{"type":"balance.low"}')).toBe(true)
  })
})
