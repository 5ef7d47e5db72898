/** Which addresses a hook may not have, before anything is sent. */
import { expect, test } from 'vitest'
import { brokenHookRule, checkHook } from '../../src/operations/request/check-hook.ts'

const hookGuard = { permits: () => true }
const refusal = (hook: string) => {
  try {
    checkHook({ hookGuard }, hook)
    return null
  } catch (error) {
    return (error as Error).message
  }
}

test.each([22, 25, 587, 6379, 5432, 6667, 0])('no hook has port %d, which is that of another service', (port) => {
  const hook = `https://client.example:${port}/reports`
  expect(refusal(hook)).toBe('hook: must not have the port of a service other than HTTP')
  expect(brokenHookRule(hookGuard, hook)).toBe('must not have the port of a service other than HTTP')
})

test.each([
  'https://client.example/',
  'https://client.example:8443/',
  'http://client.example:80/',
  'http://a.example:9000',
])('%s is the address of a hook', (hook) => {
  expect([refusal(hook), brokenHookRule(hookGuard, hook)]).toEqual([null, null])
})
