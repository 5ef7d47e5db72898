/** Logs the begin and the end of a stop and, each second, which answers it waits for. */
import type { Delivery } from '../../delivery/delivery.ts'
import type { Cancel, Clock } from '../../ports/system/clock.ts'
import type { Log } from '../../ports/system/log.ts'

const EVERY_MS = 1_000

interface StopTools {
  readonly clock: Clock
  /** Without a limit of repeated lines, whose timer would outlive the stop. */
  readonly log: Log
  readonly delivery: Delivery
}

export async function stopLogged({ clock, log, delivery }: StopTools, stop: () => Promise<void>): Promise<void> {
  const startedAt = clock.monotonic()
  const seconds = () => Math.round((clock.monotonic() - startedAt) / 1_000)
  let cancel: Cancel = () => {}
  const watch = () => {
    cancel = clock.after(EVERY_MS, () => {
      log.info({ seconds: seconds(), ...awaited(delivery) }, 'stopping: waiting for answers and connections')
      watch()
    })
  }
  log.info(awaited(delivery), 'stopping')
  watch()
  try {
    await stop()
    log.info({ seconds: seconds() }, 'stopped')
  } finally {
    cancel()
  }
}

/** For example `{ carriers: 'acme: 3, voice: 1', hooks: 2 }`: parts with carriers, and reports with hooks. */
function awaited({ fleet, reporter }: Delivery) {
  const carriers = fleet.all().flatMap((carrier) => {
    const { inFlight } = carrier.state()
    return inFlight > 0 ? `${carrier.id}: ${inFlight}` : []
  })
  return { carriers: carriers.length === 0 ? 'none' : carriers.join(', '), hooks: reporter.facts.inFlight }
}
