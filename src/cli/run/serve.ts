/** `posthorn serve`: runs the gateway until a signal stops it. */
import type { Command } from 'commander'
import { placeOfData } from '../../app/installation/installation.ts'
import { openLog } from '../../app/log/json-log.ts'
import { readConfig, SETTINGS, unknownVariables } from '../../app/settings/config.ts'
import { StoreUnavailable } from '../../ports/records/store-errors.ts'
import type { Clock } from '../../ports/system/clock.ts'
import { logForm, newCommand, printAnswer, settingFlags } from '../command/command.ts'
import { CannotDo } from '../command/failure.ts'
import type { Terminal } from '../command/terminal.ts'
import { stopWithin } from './stop-within.ts'

export function serveCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'serve',
    summary:
      'run the gateway; SIGINT, SIGTERM or SIGHUP stops it cleanly, a second SIGINT or SIGTERM more than a second later at once',
    examples: ['posthorn serve --data-dir /var/lib/posthorn --public-url https://sms.example.com'],
    settings: SETTINGS.flatMap(({ flag }) => (flag === 'sandbox-key' ? [] : [flag])),
  })
  return command.action(async () => {
    const config = readConfig(settingFlags(command), terminal.environment)
    const { clock, random } = terminal
    const stopped = terminal.untilStopped()
    const { startGateway } = await import('../../app/gateway.ts')
    const stopping = new AbortController()
    void stopped.then(() => stopping.abort())
    const asJson = command.opts<{ json?: true }>().json === true
    const log = openLog(config.logLevel, logForm(terminal, asJson))
    for (const unknown of unknownVariables(terminal.environment)) {
      log.warn(unknown, 'unknown environment variable ignored')
    }
    const gateway = await startGateway({ config, clock, random, log, signal: stopping.signal }).catch((error) => {
      if (error instanceof StoreUnavailable && stopping.signal.aborted) return null
      throw error
    })
    // Stopped while waiting for the database.
    if (gateway === null) return
    const { address, adminAddress } = gateway
    printAnswer(terminal, asJson, {
      json: { address, adminAddress },
      text: `Posthorn listens on ${address}, for operators on ${adminAddress}; data in ${placeOfData(config)}.`,
    })
    const lost = gateway.lost.then((reason) => {
      log.error({ reason }, 'this node can no longer write and stops')
      // The node can no longer write, so its work cannot finish here; other nodes already have it.
      throw new CannotDo(`${reason}: start it again`)
    })
    await Promise.race([stopped, lost])
    const end = async () => {
      gateway.giveNotice()
      await pass(clock, config.stopNoticeSeconds * 1_000)
      await gateway.stop()
    }
    await stopWithin(clock, Promise.race([end(), lost]))
  })
}

function pass(clock: Clock, milliseconds: number): Promise<void> {
  return milliseconds === 0 ? Promise.resolve() : new Promise((resolve) => void clock.after(milliseconds, resolve))
}
