/** Puts the SMPP server together from what all APIs share. */
import type { AccountId } from '../../domain/ids/account-id.ts'
import type { OperationTools } from '../../operations/request/operation-tools.ts'
import type { WorkQueue } from '../../operations/request/work-queue.ts'
import { createRuns } from '../../operations/run/run.ts'
import { BindPlaces } from './bind-places.ts'
import { Inquiries } from './inquiries.ts'
import type { LoginBinds } from './login-binds.ts'
import { LongMessages } from './long-messages.ts'
import { Messages } from './messages.ts'
import { type SmppServer, type SmppServerOptions, startSmppServer } from './smpp-server.ts'

export interface SmppOptions extends Pick<SmppServerOptions, 'host' | 'port' | 'readTls'> {
  readonly binds: LoginBinds
  /** The work of requests, shared with that of the other APIs. */
  readonly queue: WorkQueue
}

/** Rejects if the port is taken. */
export function openSmpp(
  tools: OperationTools,
  { host, port, readTls, binds, queue }: SmppOptions,
): Promise<SmppServer> {
  const { clock, log, random, store, messageIds, hooks, logins } = tools
  const { runFor } = createRuns(tools, queue)
  const newId = (account: AccountId) => messageIds.draw(account)
  const onReports = hooks.onReports
  const onceMs = tools.limits.idempotencySeconds * 1_000
  const longMessages = new LongMessages({ clock, log, store, runFor, logins, newId, onReports, onceMs })
  const inquiries = new Inquiries({ runFor, store, longMessages })
  return startSmppServer({
    ...{ clock, log, host, port, readTls, binds },
    node: Buffer.from(random.bytes(6)).toString('base64url'),
    logins,
    places: new BindPlaces({ cluster: store.cluster, log }),
    longMessages,
    messages: new Messages({ clock, log, runFor, newId, store, longMessages, inquiries, onceMs }),
  })
}
