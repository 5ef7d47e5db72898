/** Commands that work on the files or keys of this machine, never on a gateway elsewhere. */
import type { Config } from '../../app/settings/config.ts'
import { WrongUsage } from './failure.ts'

/** Throws WrongUsage if the environment names a gateway, which the operator may think is meant. */
export function refuseServer({ server }: Config): void {
  if (server === null) return
  throw new WrongUsage(
    `POSTHORN_SERVER is set to ${server}, and this command works on this machine only: run it on the machine of the ` +
      'gateway, without POSTHORN_SERVER',
  )
}
