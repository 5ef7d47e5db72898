/** Benches for the two carriers that speak HTTP: the carrier, its double, and the webhook between them. */
import { createRbmCarrier } from '../../src/carriers/rbm/rbm-carrier.ts'
import { createViberCarrier } from '../../src/carriers/viber/viber-carrier.ts'
import { type RbmDouble, startRbmDouble } from '../../src/simulator/rbm.ts'
import { Traffic } from '../../src/simulator/traffic.ts'
import { startViberDouble, type ViberDouble } from '../../src/simulator/viber.ts'
import type { CarrierBench } from '../conformance/carrier.ts'
import { InboxWitness } from './inbox-witness.ts'
import { SeededRandom } from './seeded-random.ts'
import { SilentLog } from './silent-log.ts'
import { VirtualClock } from './virtual-clock.ts'
import { openWebhookDoor, type WebhookDoor } from './webhook-door.ts'

export interface HttpBench<Double> extends CarrierBench {
  readonly double: Double
  readonly door: WebhookDoor
  readonly log: SilentLog
  readonly random: SeededRandom
}

export async function buildRbmBench(settings: object = {}): Promise<HttpBench<RbmDouble>> {
  const parts = gather()
  const double = await startRbmDouble(parts)
  const { address: baseUrl, serviceAccount, clientToken } = double
  const all = {
    baseUrl,
    serviceAccount,
    clientToken,
    agentId: 'agent-one',
    agents: { Shop: 'agent-shop' },
    ...settings,
  }
  const carrier = createRbmCarrier({ id: 'rbm-test', settings: all }, parts)
  return connect(carrier, double, parts)
}

export async function buildViberBench(settings: object = {}): Promise<HttpBench<ViberDouble>> {
  const parts = gather()
  const double = await startViberDouble(parts)
  const { address: baseUrl, webhookToken } = double
  const all = { baseUrl, webhookToken, serviceId: 7, services: { Shop: 77 }, ...settings }
  const carrier = createViberCarrier({ id: 'viber-test', settings: all }, parts)
  return connect(carrier, double, parts)
}

function gather() {
  return {
    clock: new VirtualClock(),
    random: new SeededRandom(),
    log: new SilentLog(),
    traffic: new Traffic(),
    inbox: new InboxWitness(),
  }
}

async function connect<Double extends RbmDouble | ViberDouble>(
  carrier: CarrierBench['carrier'],
  double: Double,
  parts: ReturnType<typeof gather>,
): Promise<HttpBench<Double>> {
  const door = await openWebhookDoor(carrier)
  double.setWebhook(door.address)
  return {
    ...parts,
    carrier,
    double,
    door,
    sender: 'Shop',
    farSide: double,
    stop: async () => {
      await double.stop()
      await door.stop()
    },
  }
}
