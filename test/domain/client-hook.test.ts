/** Hooks that a client manages: their limits, and which reports they get. */
import { describe, expect, test } from 'vitest'
import { signingSecrets } from '../../src/domain/accounts/account.ts'
import { toAccountId } from '../../src/domain/ids/account-id.ts'
import {
  type AccountHooks,
  addressed,
  changeHooks,
  firstNumberOf,
  HOOK_REFUSALS,
  type HookChange,
  hookIdOf,
  hooksFor,
  isDeleted,
  MAX_CLIENT_HOOKS,
  MAX_HOOK_CHANGES,
  NO_HOOKS,
  OLD_SECRET_SIGNS_MS,
} from '../../src/domain/reports/client-hook.ts'
import { toMessageId } from '../support/build-message.ts'

const NOW = 1_772_352_000_000
const HOUR = 3_600_000

const createdAt = (address: string): HookChange => {
  return { kind: 'create', address, description: null, events: null, secret: `whsec_${address}` }
}

function change(hooks: AccountHooks, wanted: HookChange, at = NOW, isLimited = true): AccountHooks {
  const after = changeHooks(hooks, { change: wanted, at, isLimited })
  if (typeof after === 'string') throw new Error(after)
  return after
}
const refusalOf = (hooks: AccountHooks, wanted: HookChange, at = NOW) =>
  changeHooks(hooks, { change: wanted, at, isLimited: true })

const two = change(change(NO_HOOKS, createdAt('https://a.example/x')), createdAt('https://b.example/y?id=1'))

describe('a change of hooks', () => {
  test('gives each hook an id that is never used again', () => {
    expect(two.hooks.map(({ id }) => id)).toEqual([1, 2])
    const less = change(two, { kind: 'delete', id: 2 })
    expect(change(less, createdAt('https://c.example/')).hooks.map(({ id }) => id)).toEqual([1, 3])
    expect([isDeleted(less, 2), isDeleted(less, 1), isDeleted(less, 3), isDeleted(less, 0)]).toEqual([
      true,
      false,
      false,
      false,
    ])
  })

  test('is refused for an unknown hook, and for an address that another one has without its query', () => {
    expect(refusalOf(two, { kind: 'test', id: 3 })).toBe(HOOK_REFUSALS.unknown)
    expect(refusalOf(two, createdAt('https://b.example/y?id=2'))).toBe(HOOK_REFUSALS.taken)
    expect(refusalOf(two, { kind: 'update', id: 1, address: 'https://b.example/y' })).toBe(HOOK_REFUSALS.taken)
    expect(change(two, { kind: 'update', id: 2, address: 'https://b.example/y?id=3' }).hooks[1]).toMatchObject({
      address: 'https://b.example/y?id=3',
      events: null,
    })
  })

  test('is refused beyond the number of hooks', () => {
    let hooks = NO_HOOKS
    for (let count = 0; count < MAX_CLIENT_HOOKS; count += 1)
      hooks = change(hooks, createdAt(`https://${count}.example`))
    expect(refusalOf(hooks, createdAt('https://more.example'))).toBe(HOOK_REFUSALS.tooMany)
  })

  test('is refused when there were too many within an hour, unless an operator makes it', () => {
    let hooks = change(NO_HOOKS, createdAt('https://a.example'), NOW - HOUR)
    for (let count = 0; count < MAX_HOOK_CHANGES; count += 1)
      hooks = change(hooks, { kind: 'test', id: 1 }, NOW + count)
    expect(refusalOf(hooks, { kind: 'delete', id: 1 }, NOW + HOUR - 1)).toBe(HOOK_REFUSALS.tooOften)
    expect(change(hooks, { kind: 'delete', id: 1 }, NOW, false).hooks).toEqual([])
    expect(change(hooks, { kind: 'delete', id: 1 }, NOW + HOUR).hooks).toEqual([])
    expect(hooks.changes).toHaveLength(MAX_HOOK_CHANGES)
  })

  test('of the secret lets the old one sign for a day', () => {
    const [hook] = change(two, { kind: 'rotate', id: 1, secret: 'whsec_new' }).hooks
    if (hook === undefined) throw new Error('there is no hook')
    expect(signingSecrets(hook, NOW + OLD_SECRET_SIGNS_MS - 1)).toEqual(['whsec_new', 'whsec_https://a.example/x'])
    expect(signingSecrets(hook, NOW + OLD_SECRET_SIGNS_MS)).toEqual(['whsec_new'])
  })
})

describe('a report', () => {
  const report = { messageId: toMessageId(65), accountId: toAccountId(1), number: 2, body: '{"a":1}' }
  const hooks = change(two, { kind: 'update', id: 2, events: ['link.clicked'] }).hooks

  test('goes to its address and to each hook that wants its type, under numbers of their own', () => {
    const listeners = { defaultHook: 'https://default.example', hooks }
    const clicked = addressed(
      report,
      'https://default.example',
      hooksFor(listeners, 'link.clicked', listeners.defaultHook),
    )
    expect(clicked.map(({ number, address }) => [number, address])).toEqual([
      [2, 'https://default.example'],
      [65_538, 'https://a.example/x'],
      [131_074, 'https://b.example/y?id=1'],
    ])
    expect(clicked.map(({ number }) => [hookIdOf(number), firstNumberOf(number)])).toEqual([
      [0, 0],
      [1, 65_536],
      [2, 131_072],
    ])
    expect(hooksFor(listeners, 'message.status', null).map(({ id }) => id)).toEqual([1])
  })

  test('with an address of its own goes nowhere else', () => {
    expect(hooksFor({ defaultHook: null, hooks }, 'link.clicked', 'https://own.example')).toEqual([])
    expect(addressed(report, 'https://own.example', [])).toEqual([{ ...report, address: 'https://own.example' }])
  })
})
