/** `posthorn health`: asks the gateway on this machine whether it is alive, or ready. For health checks of containers and units. */
import type { Command } from 'commander'
import type { Config } from '../config.ts'
import { answerBy, newCommand } from './command.ts'
import { CannotDo } from './failure.ts'
import type { Terminal } from './terminal.ts'

const TIMEOUT_MS = 5_000

export function healthCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'health',
    summary: 'check that the gateway on this machine is alive; exit code 1 when it is not',
    examples: ['posthorn health', 'posthorn health --ready'],
    settings: ['host', 'admin-host', 'admin-port'],
  }).option('--ready', 'check that it is ready for requests as well: /readyz in place of /healthz')
  return answerBy<{ readonly ready?: true }>(command, terminal, async ({ ready = false }, config) => {
    const url = `http://${hostOf(config)}:${config.adminPort}${ready ? '/readyz' : '/healthz'}`
    const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((error: Error) => {
      throw new CannotDo(`no answer from ${url}: ${reasonOf(error)}`)
    })
    const text = (await answer.text()).trim()
    if (!answer.ok) throw new CannotDo(`${url} answers ${answer.status}: ${text}`)
    return { json: { url, status: answer.status }, text }
  })
}

/** A gateway that listens on every address is asked on loopback. */
function hostOf({ host: publicHost, adminHost }: Config): string {
  const host = adminHost ?? publicHost
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error && cause.message !== '' ? cause.message : message
}
