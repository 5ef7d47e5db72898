/** Executes requests of Jasmin's APIs for a login. */
import { ITEM_ERRORS, REQUEST_ERRORS } from '../../contract/request/error-texts.ts'
import type { LoginAccess } from '../../operations/request/logins.ts'
import type { ApiTools } from '../shared/api-path.ts'
import { type OlderResult, type Operation, readAnswer } from '../translate/ask.ts'
import { type Arguments, argumentText, faultIn, type JasminEndpoint } from './arguments.ts'
import { badArgument, denied, errorOf, type JasminError, mustWait } from './jasmin-errors.ts'
import { type Order, orderOf, priceQuestionOf } from './write-order.ts'

/** What is read of a successful operation. */
export type JasminOutcome = OlderResult['data'] | JasminError

export type JasminTools = Pick<ApiTools, 'logins' | 'runFor' | 'clock'>

export function isError(outcome: JasminOutcome): outcome is JasminError {
  return 'status' in outcome && 'text' in outcome
}

/** Opens the login in the arguments. `address` is that of the client. */
export function openLogin({ logins }: JasminTools, args: Arguments, address: string | null): LoginAccess | JasminError {
  const user = argumentText(args, 'username')
  const opened = logins.open(user, argumentText(args, 'password'), address)
  if (opened === 'wait') return mustWait(user)
  return typeof opened === 'string' ? denied(user) : opened
}

/** Checks the arguments of one request, and executes it. */
export async function execute(
  tools: JasminTools,
  endpoint: JasminEndpoint,
  args: Arguments,
  address: string | null,
): Promise<JasminOutcome> {
  const fault = faultIn(args, endpoint)
  if (fault !== null) return badArgument(fault)
  const opened = openLogin(tools, args, address)
  if ('status' in opened) return opened
  const order = writeOrder(endpoint, args, opened, tools.clock.now())
  if (typeof order === 'string') return badArgument(order)
  const [outcome] = await runOrders(tools, opened, [{ args, order }])
  return outcome ?? errorOf(REQUEST_ERRORS.internal, args)
}

function writeOrder(endpoint: JasminEndpoint, args: Arguments, { login }: LoginAccess, now: number): Order | string {
  if (endpoint === 'send') return orderOf(args, login, now)
  const operation: Operation | string = endpoint === 'rate' ? priceQuestionOf(args, login, now) : { type: 'balance' }
  return typeof operation === 'string' ? operation : { operation, reporting: null }
}

export interface Asked {
  readonly args: Arguments
  readonly order: Order
}

/** Executes operations with the same reporting as one request; their outcomes are in the same order. */
export async function runOrders(
  { runFor }: JasminTools,
  who: LoginAccess,
  asked: readonly Asked[],
): Promise<readonly JasminOutcome[]> {
  const reporting = asked[0]?.order.reporting ?? null
  const operations = asked.map(({ order }) => order.operation)
  const { error, results } = readAnswer(await runFor(who, operations, { reporting }))
  return asked.map(({ args }, index) => {
    const result = results[index]
    if (error !== null || result === undefined) return errorOf(error ?? ITEM_ERRORS.notAnObject, args)
    return result.success ? result.data : errorOf(result.error, args)
  })
}
