/** Dependencies of the client's operations in a gateway: of its requests and of the runs of bulks. */
import { ChatappNames, problemInNames } from '../../contract/operations/chatapp-names.ts'
import { DEFAULT_LIMITS } from '../../contract/request/limits.ts'
import { Logins } from '../../operations/request/logins.ts'
import { MessageIds } from '../../operations/request/message-ids.ts'
import type { OperationTools } from '../../operations/request/operation-tools.ts'
import { RateLimits, RequestRates } from '../../operations/request/rate-limits.ts'
import { simulatorLookup, simulatorNumbers } from '../../simulator/lookup/lookup.ts'
import { hookGuardOf } from '../hooks/hook-guard.ts'
import { type Config, ConfigError } from '../settings/config.ts'
import { readOpenId } from '../settings/open-id.ts'
import type { Base, IntakeParts, Work } from './gateway-parts.ts'

/**
 * Throws ConfigError for unusable names of the chat app and half of the settings of sign-in, before anything starts.
 * Checked here, because only a gateway loads the operations.
 */
export function checkForGateway(config: Config): void {
  readOpenId(config)
  const problem = problemInNames(config.chatappNames)
  if (problem !== null) throw new ConfigError(`POSTHORN_CHATAPP_NAMES: ${problem}`)
}

/** `address` is that of the public port. */
export function operationTools(base: Base, { delivery }: Work, intake: IntakeParts, address: string): OperationTools {
  const { config, clock, random, log, store, directory, hooks, lookup, metrics, tracing } = base
  const { pumping, keyUses, denials } = intake
  const onDenied: OperationTools['onDenied'] = (cause, key) => {
    metrics.countDenied(cause)
    denials.note(cause, key)
  }
  return {
    store,
    lookup,
    keyUses,
    clock,
    random,
    log,
    messageIds: new MessageIds(store, clock),
    outbox: delivery.pump,
    ...(tracing === null ? {} : { tracing }),
    onAccepted: (messages) => {
      metrics.countAccepted(messages)
      pumping.count(messages)
    },
    onAnswered: (operation, ms) => metrics.times.request(operation, ms),
    onDenied,
    directory: directory.current,
    hooks: { of: hooks.of, refresh: hooks.refresh, onReports: () => delivery.reporter.wake() },
    testLookup: simulatorLookup,
    numbers: delivery.lookups,
    testNumbers: simulatorNumbers(clock),
    routingLookups: new RateLimits(),
    rates: new RequestRates(),
    logins: new Logins({ clock, directory: directory.current, onDenied }),
    limits: {
      ...DEFAULT_LIMITS,
      lifetimeMinSeconds: config.lifetimeMinSeconds,
      templatesKept: config.templatesKept,
      templateBytesKept: config.templateBytesKept,
      idempotencyBytes: config.idempotencyBytes,
    },
    chatappNames: new ChatappNames(config.chatappNames),
    hookGuard: hookGuardOf(config),
    publicUrl: config.publicUrl ?? address,
  }
}
