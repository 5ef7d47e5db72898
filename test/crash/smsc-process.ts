/**
 * The SMSC double as a program of its own, to be killed: `smsc-process.ts PORT`, 0 for any. It says its port, and every
 * part that it takes before it is answered, one JSON line each. It remembers nothing from an earlier life.
 */
import { writeSync } from 'node:fs'
import { systemClock } from '../../src/app/system/system-clock.ts'
import { systemRandom } from '../../src/app/system/system-random.ts'
import { type PhoneArrival, PhoneTraffic } from '../../src/simulator/phones/traffic.ts'
import { startSmsc } from '../../src/simulator/smpp/smsc.ts'

const STDOUT = 1

class SpokenTraffic extends PhoneTraffic {
  override add(arrival: PhoneArrival): void {
    super.add(arrival)
    writeSync(STDOUT, `${JSON.stringify(arrival)}\n`)
  }
}

const smsc = await startSmsc({
  clock: systemClock,
  random: systemRandom,
  traffic: new SpokenTraffic(),
  systemId: 'posthorn',
  password: 'crash',
  port: Number(process.argv[2]),
})
// So that there is something in flight whenever it dies.
smsc.inject({ kind: 'slow', answersAfterMs: 20 })
writeSync(STDOUT, `${JSON.stringify({ port: smsc.port })}\n`)
