/** Reads expressions of PromQL with the grammar of the Prometheus project. */
import { parser } from '@prometheus-io/lezer-promql'

export interface ReadExpression {
  /** Whether it is an expression as a whole. */
  readonly isValid: boolean
  /** The metrics that it selects, with the labels that it asks of each. */
  readonly selectors: readonly { readonly metric: string; readonly labels: readonly string[] }[]
  /** Labels that it groups or matches by. */
  readonly grouping: readonly string[]
}

export function readExpression(expression: string): ReadExpression {
  let isValid = true
  const selectors: { metric: string; labels: string[] }[] = []
  const grouping: string[] = []
  const inside: string[] = []
  parser.parse(expression).iterate({
    enter: ({ name, from, to, type }) => {
      const text = expression.slice(from, to)
      if (type.isError) isValid = false
      if (name === 'VectorSelector') selectors.push({ metric: '', labels: [] })
      const selector = selectors.at(-1)
      if (name === 'Identifier' && selector !== undefined) selector.metric = text
      if (name === 'LabelName' && inside.includes('GroupingLabels')) grouping.push(text)
      else if (name === 'LabelName') selector?.labels.push(text)
      inside.push(name)
    },
    leave: () => void inside.pop(),
  })
  return { isValid, selectors, grouping }
}
