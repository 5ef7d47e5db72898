/** `posthorn console`: prints a link that signs a user in to the console. */
import type { Command } from 'commander'
import type { Config } from '../../app/settings/config.ts'
import { consoleAddress } from '../../app/settings/console-address.ts'
import { ASKING, answerBy, newCommand } from '../command/command.ts'
import { WrongUsage } from '../command/failure.ts'
import { portAddress } from '../command/port-address.ts'
import type { Terminal } from '../command/terminal.ts'
import { askEndpoint } from '../store/ask-endpoint.ts'

interface User {
  readonly user: string
  readonly role: string
  readonly state: string
}

interface Link {
  readonly user: string
  readonly path: string
  readonly expires_at: string
}

/** Users in one page of the list. */
const PAGE_ROWS = 1_000

export function consoleCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'console',
    summary: 'print a link that signs a user in to the console, once, within ten minutes',
    examples: ['posthorn console', 'posthorn console --user anna'],
    settings: [...ASKING, 'admin-host', 'admin-port', 'console-origin'],
  }).option('--user <user>', 'name of the user; the owner by default, if there is one')
  return answerBy<{ readonly user?: string }>(command, terminal, async (options, config) => {
    const user = options.user ?? (await onlyOwner(config, terminal))
    const input = { params: { user }, query: {}, body: {} }
    const { path, ...rest } = (await askEndpoint('issueSignInLink', input, config, terminal)) as Link
    const link = `${addressOf(config)}${path}`
    const note = `Signs ${user} in once, until ${rest.expires_at}. Do not pass it on.`
    return { json: { ...rest, link }, text: `${link}\n\n${note}` }
  })
}

/** Throws WrongUsage if there is none, or more than one. */
async function onlyOwner(config: Config, terminal: Terminal): Promise<string> {
  const input = { params: {}, query: { most: PAGE_ROWS }, body: {} }
  const { data } = (await askEndpoint('listUsers', input, config, terminal)) as { readonly data: readonly User[] }
  const owners = data.filter(({ role, state }) => role === 'owner' && state === 'active')
  const [owner] = owners
  if (owner === undefined) {
    throw new WrongUsage('there is no owner yet: create one with posthorn user add --user NAME --role owner')
  }
  if (owners.length > 1) throw new WrongUsage(`--user: required, because there are ${owners.length} owners`)
  return owner.user
}

function addressOf({ server, consoleOrigin, adminHost, adminPort }: Config): string {
  return server?.replace(/\/$/, '') ?? consoleOrigin ?? consoleAddress(portAddress(adminHost, adminPort))
}
