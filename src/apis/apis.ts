/** The APIs for clients, a folder each. Those that the operator has turned on live side by side on the public port. */
import type { ApiName } from '../contract/operations/api-names.ts'
import { Bodies } from '../http/server/body.ts'
import { ClientAddresses } from '../http/server/client-address.ts'
import type { HttpRoute } from '../http/server/server.ts'
import { BulkUploads } from '../operations/bulk/upload.ts'
import type { OperationTools } from '../operations/request/operation-tools.ts'
import { createWorkForKey } from '../operations/request/work-for-key.ts'
import { WorkQueue } from '../operations/request/work-queue.ts'
import { createRuns } from '../operations/run/run.ts'
import { createJasminApi } from './jasmin/jasmin-api.ts'
import { createBulkUpload } from './json/bulk-upload.ts'
import { createJsonApi } from './json/json-api.ts'
import { createKannelApi } from './kannel/kannel-api.ts'
import { createLoginsApi } from './logins/logins-api.ts'
import { createQueryApi } from './query/query-api.ts'
import { createRestApi } from './rest/rest-api.ts'
import type { ApiTools } from './shared/api-path.ts'
import { createXmlApi } from './xml/xml-api.ts'

const APIS: Readonly<Record<ApiName, (tools: ApiTools) => readonly HttpRoute[]>> = {
  json: createJsonApi,
  rest: createRestApi,
  xml: createXmlApi,
  query: createQueryApi,
  kannel: createKannelApi,
  jasmin: createJasminApi,
  logins: createLoginsApi,
  // It has a port of its own (smpp/open-smpp.ts).
  smpp: () => [],
}

export interface ApiOptions {
  readonly names: readonly ApiName[]
  /** Networks in CIDR form. */
  readonly trustedProxies: readonly string[]
  readonly hookPost: ApiTools['hookPost']
  /** The work of requests; shared with that of bulks. */
  readonly queue?: WorkQueue
  /** Uploads of lines; shared with those of operators. */
  readonly uploads?: BulkUploads
}

export function createApiRoutes(
  tools: OperationTools,
  {
    names,
    trustedProxies,
    hookPost,
    queue: work = new WorkQueue(tools.clock),
    uploads = new BulkUploads(tools, work),
  }: ApiOptions,
): readonly HttpRoute[] {
  const { clock, random, limits, chatappNames, hookGuard } = tools
  const addresses = new ClientAddresses(trustedProxies)
  const shared: ApiTools = {
    ...createRuns(tools, work),
    logins: tools.logins,
    workForKey: createWorkForKey(tools, work),
    bodies: new Bodies({ maxBytes: limits.allBodiesBytes, clock, addresses }),
    addresses,
    clock,
    random,
    chatappNames,
    hookGuard,
    hookPost,
    limits,
    maxBytes: limits.bodyBytes,
  }
  const ofLines = names.includes('json') ? [createBulkUpload(uploads, addresses)] : []
  return [...names.flatMap((name) => APIS[name](shared)), ...ofLines]
}
