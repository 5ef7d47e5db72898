/**
 * What a mailing that waits for a slow carrier does to the codes of the same account: the 99th percentile of the time
 * to their answer and to their `submit_sm`, behind the mailing and without it.
 */
import { Child } from './child.ts'
import type { Figure } from './figure.ts'
import { requestsOf } from './gateways.ts'
import type { Load, Measured } from './http-load.ts'
import type { Stage } from './stage.ts'
import { figuresOf, measure, SLOW_PER_SECOND } from './trickle.ts'

const CONNECTIONS = 16
const PER_REQUEST = 100

export async function codes(stage: Stage): Promise<readonly Figure[]> {
  const gateway = await stage.start('sqlite', { accounts: 2, throughput: SLOW_PER_SECOND })
  const { port, keys } = gateway
  await measure(stage, gateway, 'code')
  const alone = await measure(stage, gateway, 'code')
  const generator = new Child('./http-load.ts')
  const requests = Math.ceil(stage.scale.backlog / PER_REQUEST)
  const mailing = { port, connections: CONNECTIONS, requests, perRequest: PER_REQUEST, keys: keys.slice(1) }
  await generator.ask<Measured>({ ...mailing, ...requestsOf('mailing', null) } satisfies Load)
  const beside = await measure(stage, gateway, 'code')
  await Promise.all([generator.end(), gateway.end()])
  const waiting = `${stage.scale.backlog.toLocaleString('en')} messages of the account, ${SLOW_PER_SECOND}/s to the carrier`
  return figuresOf(waiting, { alone, beside })
}
