/** Explains which carrier a message would get now and why the others would not, for operators. Sends nothing. */
import type { Message } from '../../domain/message/message.ts'
import { onceEach, type Route } from '../../domain/routing/route.ts'
import type { RankedRoute, Routing } from '../../ports/carriers/routing.ts'
import { type Choice, type ChoiceTools, chooseCarrier, mayCallFrom, routedStepOf } from './choose-carrier.ts'
import { demotedLast, demotionOf } from './demoted-carriers.ts'

export interface ExplainTools extends ChoiceTools {
  /** Currency of costs that name none, ISO 4217. */
  readonly currency: string
}

export function explainRouting(message: Message, tools: ExplainTools): Routing {
  const { fleet } = tools
  const choice = chooseCarrier(message, false, tools)
  const carrierId = chosen(choice, tools)
  return {
    carrierId,
    reason: choice.kind === 'none' ? choice.reason : null,
    waits: carrierId !== null && !fleet.isElsewhere(carrierId) && !fleet.mayTry(carrierId),
    routes: message.test ? [] : rankRoutes(message, tools),
  }
}

function chosen(choice: Choice, { fleet }: ExplainTools): string | null {
  if (choice.kind === 'here') return choice.carrier.id
  return choice.kind === 'none' ? null : (choice.candidates.find((id) => fleet.isElsewhere(id)) ?? null)
}

function rankRoutes(
  message: Message,
  { fleet, directory, lookup, clock, currency }: ExplainTools,
): readonly RankedRoute[] {
  const { routes: table } = directory()
  const step = routedStepOf(message, { directory, lookup, clock })
  const ranked = table.ranked(step).flatMap((equals) => {
    const total = equals.reduce((sum, { weight }) => sum + weight, 0)
    return equals.map((route) => ({ route, carrierId: route.carrierId, share: route.weight / total }))
  })
  const { demotions } = directory()
  const routes = onceEach(ranked).filter(({ route }) => mayCallFrom(route, message, directory()))
  const order = demotedLast(
    routes.map(({ carrierId }) => carrierId),
    message,
    demotions,
  )
  return routes
    .toSorted((a, b) => order.indexOf(a.carrierId) - order.indexOf(b.carrierId))
    .map(({ route, share }) => ({
      route,
      demotion: demotionOf(route.carrierId, message, demotions),
      share,
      standing: standingOf(route),
      cost: table.costs.amount(route.carrierId, step, { category: null, at: step.at, currency }),
    }))

  function standingOf({ carrierId }: Route): RankedRoute['standing'] {
    return fleet.isElsewhere(carrierId) ? 'other node' : (fleet.obstacleOf(carrierId) ?? 'open')
  }
}
