/** Whether a new carrier gets a route for all numbers, and which place the route has. */
import { Checkbox, TextField } from '../../parts/form/field.tsx'
import type { FormState } from '../../parts/form/form.tsx'
import { useTexts } from '../../texts/texts.ts'
import { LIST_DE } from './texts-de.ts'
import { LIST_EN } from './texts-en.ts'

export interface RouteValues {
  readonly route: boolean
  readonly 'route.priority': string
}

export const NEW_ROUTE: RouteValues = { route: true, 'route.priority': '' }

export function RouteFields({ form }: { readonly form: Pick<FormState<RouteValues>, 'field' | 'values'> }) {
  const texts = useTexts<typeof LIST_EN>({ en: LIST_EN, de: LIST_DE })
  return (
    <>
      <Checkbox {...form.field('route')} error={undefined} label={texts.addRoute} hint={texts.addRouteHint} />
      {form.values.route && (
        <TextField
          {...form.field('route.priority')}
          label={texts.priority}
          hint={texts.priorityHint}
          inputMode="numeric"
          placeholder="100"
          optional
        />
      )}
    </>
  )
}

/** Returns the route of the request. */
export function routeOf({ route, 'route.priority': priority }: RouteValues): { priority?: number } | null {
  if (!route) return null
  return priority.trim() === '' ? {} : { priority: Number(priority) }
}
