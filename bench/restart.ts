/**
 * How long a gateway that was killed with many unfinished messages takes until its first answer, its start included.
 */
import { rmSync } from 'node:fs'
import { Child } from './child.ts'
import type { Figure } from './figure.ts'
import type { GatewayNews, GatewaySetup } from './gateway-under-load.ts'
import { type GatewayUnderLoad, requestsOf, SERVICE_ENVIRONMENT } from './gateways.ts'
import type { Measured } from './http-load.ts'
import type { Stage } from './stage.ts'

const PER_REQUEST = 100

export async function restart(stage: Stage): Promise<readonly Figure[]> {
  const { rounds, unfinished } = stage.scale
  const gateway = await stage.start('sqlite', { smsc: 'silent' })
  const { port, keys, folder } = gateway
  const requests = Math.ceil(unfinished / PER_REQUEST)
  const accepted = { perRequest: PER_REQUEST, requests, connections: Math.min(8, requests), ...requestsOf('sms', null) }
  const { failures } = await stage.load.ask<Measured>({ port, keys, ...accepted })
  if (failures > 0) throw new Error(`${failures} requests failed`)
  await gateway.child.kill()
  const seconds: number[] = []
  for (let round = 0; round < rounds; round += 1) seconds.push(await secondsToAnswer(stage, gateway))
  await gateway.end()
  rmSync(folder, { recursive: true, force: true })
  return [
    {
      ...{ benchmark: `start with ${unfinished} unfinished messages`, comparedWith: '', rounds: seconds, unit: ' s' },
      ...{ must: 2, aim: 1, lessIsBetter: true, detail: 'until the first answer, with the start of Node' },
    },
  ]
}

async function secondsToAnswer(stage: Stage, { setup, keys, folder }: GatewayUnderLoad): Promise<number> {
  const startedAt = performance.now()
  const child = new Child(stage.file, [JSON.stringify({ ...setup, folder } satisfies GatewaySetup)], {
    env: SERVICE_ENVIRONMENT,
  })
  const { port } = await child.receive<GatewayNews>()
  const { failures } = await stage.load.ask<Measured>({
    ...{ port, keys, connections: 1, requests: 1 },
    ...requestsOf('sms', null),
  })
  const seconds = (performance.now() - startedAt) / 1_000
  if (failures > 0) throw new Error('the first request failed')
  await child.kill()
  return seconds
}
