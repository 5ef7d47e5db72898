/** `posthorn sandbox`: runs the gateway with simulated carriers and phones, to try it out. */
import type { Command } from 'commander'
import { openLog } from '../../app/log/json-log.ts'
import { readConfig, SETTINGS } from '../../app/settings/config.ts'
import { logForm, newCommand, printAnswer, settingFlags } from '../command/command.ts'
import { CannotDo } from '../command/failure.ts'
import type { Terminal } from '../command/terminal.ts'
import { writeFacts, writeTable } from '../command/text-table.ts'
import { PhoneLog } from './phone-log.ts'
import { stopWithin } from './stop-within.ts'

/**
 * Meaning of the last two digits of a number, as in docs/guides/sandbox.md; implemented in
 * src/simulator/phones/phones.ts.
 */
export const MAGIC_PHONES: readonly (readonly [endsIn: string, what: string])[] = [
  ['anything else', 'delivered by the first channel within about a second'],
  ['01', 'has no RCS'],
  ['02', 'has neither RCS nor the chat app'],
  ['03', 'unreachable: RCS and chat app refuse, SMS is undeliverable'],
  ['04', 'RCS accepts it and never delivers; chat app delivers'],
  ['05', 'RCS and chat app accept it and never deliver; SMS delivers'],
  ['06', 'delivered, then read'],
  ['07', 'its operator is not supported for calls'],
  ['08', 'the call fails before it rings'],
  ['09', 'SMS only; its receipt says expired'],
  ['10', 'the same receipt arrives twice, and read arrives before delivered'],
  ['11', 'the receipt arrives before the answer to the submit'],
  ['12', 'the carrier first answers "slow down", then accepts it'],
  ['13', 'the carrier does not answer the first time'],
  ['14', 'RCS delivers late, after its lifetime'],
  ['15', 'a lookup finds it ported to another operator'],
  ['16', 'a lookup finds it absent: switched off'],
  ['17', 'a lookup finds no such number'],
  ['18', 'the lookup service does not answer'],
]

export function sandboxCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'sandbox',
    summary: 'run the gateway with simulated carriers and phones and a demo account; no message leaves this machine',
    examples: ['posthorn sandbox', 'posthorn sandbox --port 0 --admin-port 0 --data-dir ./try'],
    settings: SETTINGS.map(({ flag }) => flag),
  })
  return command.action(async () => {
    const config = readConfig(settingFlags(command), terminal.environment)
    const { clock, random } = terminal
    const stopped = terminal.untilStopped()
    const { startSandbox } = await import('../../sandbox/sandbox.ts')
    const asJson = command.opts<{ json?: true }>().json === true
    const log = openLog(config.logLevel, logForm(terminal, asJson))
    const sandbox = await startSandbox({ config, clock, random, log })
    const { address, adminAddress, key, hookSecret, adminToken, curl, console } = sandbox
    const facts = writeFacts([
      ['console', console],
      ['API', address],
      ['operators', `${adminAddress}/admin/v1/reference`],
      ['admin token', adminToken],
      ['key', key],
      ['hook secret', hookSecret],
    ])
    printAnswer(terminal, asJson, {
      json: { address, adminAddress, console, key, hookSecret, adminToken, curl },
      text: `${facts}\n\nTry it:\n\n${curl}\n\n${writeTable(['number ends in', 'what happens'], MAGIC_PHONES)}\n`,
    })
    const phones = new PhoneLog(clock, (text) => terminal.out(text))
    if (!asJson) sandbox.box.traffic.onArrival = (arrival) => phones.add(arrival)
    const lost = sandbox.gateway.lost.then((reason) => {
      throw new CannotDo(`${reason}: start it again`)
    })
    await Promise.race([stopped, lost])
    await stopWithin(clock, Promise.race([sandbox.stop(), lost]))
  })
}
