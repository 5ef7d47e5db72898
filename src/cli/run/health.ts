/** `posthorn health`: probes both ports of the gateway on this machine, for health checks of containers and units. */
import type { Command } from 'commander'
import { answerBy, newCommand } from '../command/command.ts'
import { CannotDo } from '../command/failure.ts'
import { portAddress } from '../command/port-address.ts'
import type { Terminal } from '../command/terminal.ts'

const TIMEOUT_MS = 5_000

interface Port {
  readonly name: 'admin' | 'public'
  readonly address: string
}

export function healthCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'health',
    summary: 'check that the admin port and the public port of the gateway on this machine answer; exit code 1 if not',
    examples: ['posthorn health', 'posthorn health --ready'],
    settings: ['host', 'port', 'admin-host', 'admin-port'],
  }).option('--ready', 'also check that it is ready for requests: /readyz on the admin port')
  return answerBy<{ readonly ready?: true }>(command, terminal, async ({ ready = false }, config) => {
    const admin = { name: 'admin', address: portAddress(config.adminHost, config.adminPort) } as const
    const adminSaid = await ask(admin, ready ? '/readyz' : '/healthz')
    const publicSaid = await askPublic(admin, { name: 'public', address: portAddress(config.host, config.port) })
    return {
      json: { admin: adminSaid, public: publicSaid },
      text: `admin port: ${adminSaid}\npublic port: ${publicSaid}`,
    }
  })
}

/**
 * A gateway that waits for its database refuses connections on the public port and reports the reason on the admin
 * port.
 */
async function askPublic(admin: Port, port: Port): Promise<string> {
  try {
    return await ask(port, '/healthz')
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const reason = await whyNotReady(admin)
    if (reason === null) throw error
    return `closed, ${reason}`
  }
}

async function whyNotReady(admin: Port): Promise<string | null> {
  const answer = await fetch(`${admin.address}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => null)
  return answer?.status === 503 ? (await answer.text()).trim() : null
}

/** No process listens on the port. */
class Refused extends CannotDo {}

/** Throws CannotDo naming the port. */
async function ask({ name, address }: Port, path: string): Promise<string> {
  const url = `${address}${path}`
  const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((error: Error) => {
    const reason = reasonOf(error)
    const Kind = reason.includes('ECONNREFUSED') ? Refused : CannotDo
    throw new Kind(`${name} port: no answer from ${url}: ${reason}`)
  })
  const text = (await answer.text()).trim()
  if (!answer.ok) throw new CannotDo(`${name} port: ${url} answers ${answer.status}: ${text}`)
  return text
}

function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error && cause.message !== '' ? cause.message : message
}
