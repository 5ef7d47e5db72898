/** Checks account settings that an operator requests. */
import { isAbsoluteAddress } from '../../../contract/kinds.ts'
import { DEFAULT_LIMITS } from '../../../contract/limits.ts'
import { isSenderName } from '../../../contract/sender-name.ts'
import type { AccountSettings } from '../../../domain/account.ts'
import { readNetwork } from '../../../domain/networks.ts'
import { faultOfRetention } from '../../../domain/retention.ts'
import { CODE_DIGITS_MAX, CODE_DIGITS_MIN } from '../../../domain/route.ts'
import { CALLS_KEPT_MS } from '../../../ports/intake-store.ts'
import { ChangeRefused } from '../../../ports/store-errors.ts'
import { checkAccountGuards } from '../guards/check-guards.ts'

const MAX_OPERATIONS = 1_000_000
const MAX_CALLS = 1_000_000
const MAX_CALLS_TO_PHONE = 60
const MAX_NETWORKS = 100
/** Fits one operation with the longest texts. */
const MIN_REQUEST_BYTES = 64 * 1024

/**
 * Returns the settings with the input applied and networks in canonical form. Checks only what the input names, because
 * sandboxes have shorter lifetimes. Throws ChangeRefused.
 */
export function checkSettings(before: AccountSettings, input: Partial<AccountSettings>): AccountSettings {
  const { lifetimeMinSeconds, lifetimeMaxSeconds, asyncOperations, bodyBytes } = DEFAULT_LIMITS
  const { stepLifetimeSeconds, operationsPerSecond, requestOperations, requestBytes, allowedNetworks, defaultHook } =
    input
  checkWhole('the lifetime of steps', stepLifetimeSeconds, lifetimeMinSeconds, lifetimeMaxSeconds, ' of seconds')
  checkWhole('operations per second', operationsPerSecond, 1, MAX_OPERATIONS)
  checkWhole('operations per request', requestOperations, 1, asyncOperations)
  checkWhole('bytes per request', requestBytes, MIN_REQUEST_BYTES, bodyBytes)
  const { callsPerHour, callsPerHourToPhone, callCodeDigits, callCodeSeconds } = input
  checkWhole('calls per hour', callsPerHour, 0, MAX_CALLS)
  checkWhole('calls per hour to a phone', callsPerHourToPhone, 1, MAX_CALLS_TO_PHONE)
  checkWhole('digits of a code', callCodeDigits, CODE_DIGITS_MIN, CODE_DIGITS_MAX)
  checkWhole('the validity of codes', callCodeSeconds, 1, CALLS_KEPT_MS / 1_000, ' of seconds')
  if (typeof defaultHook === 'string' && !isAbsoluteAddress(defaultHook)) {
    throw new ChangeRefused('the default hook must be an absolute http(s) address')
  }
  if (typeof input.defaultSmsSender === 'string' && !isSenderName('sms', input.defaultSmsSender)) {
    throw new ChangeRefused('the default SMS sender must be 3 to 11 GSM characters, or 3 to 15 digits')
  }
  const networks = allowedNetworks ? { allowedNetworks: readNetworks(allowedNetworks) } : {}
  const after = { ...before, ...input, ...networks }
  checkAccountGuards(after)
  const fault = faultOfRetention(after)
  if (fault !== null) throw new ChangeRefused(fault)
  return after
}

function checkWhole(what: string, input: number | null | undefined, least: number, most: number, unit = ''): void {
  if (input === undefined || input === null || (Number.isInteger(input) && input >= least && input <= most)) return
  throw new ChangeRefused(`${what} must be a whole number${unit} from ${least} to ${most}`)
}

/** Throws ChangeRefused naming the text that is not a network. */
function readNetworks(texts: readonly string[]): readonly string[] {
  if (texts.length === 0) throw new ChangeRefused('allowed networks must be one or more networks, or none to allow all')
  if (texts.length > MAX_NETWORKS) throw new ChangeRefused(`allowed networks must be at most ${MAX_NETWORKS}`)
  return texts.map((text) => {
    const network = readNetwork(text)
    if (network !== null) return network
    throw new ChangeRefused(
      `allowed networks: ${JSON.stringify(text)} is not a network in CIDR form such as 192.0.2.0/24 or 2001:db8::/32, without bits beyond its length`,
    )
  })
}
