/** Writes a board as Grafana imports it, with the builders of Grafana's own SDK, whose types are its schema. */
import {
  TooltipDisplayMode,
  VizLegendOptionsBuilder,
  VizTooltipOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common'
import {
  type Dashboard,
  DashboardBuilder,
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  VariableRefresh,
} from '@grafana/grafana-foundation-sdk/dashboard'
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus'
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/timeseries'
import type { Board, Panel } from './panel.ts'

const SOURCE = { type: 'prometheus', uid: '$source' }
/** Of 24 columns. */
const [WIDTH, HEIGHT] = [12, 8]

export function writeBoard({ name, title, about, panels, select }: Board): Dashboard {
  const board = new DashboardBuilder(title)
    .uid(`posthorn-${name}`)
    .description(about)
    .tags(['posthorn'])
    .time({ from: 'now-3h', to: 'now' })
    .refresh('30s')
    .withVariable(new DatasourceVariableBuilder('source').label('Data source').type('prometheus'))
    .withVariable(variable('job', 'label_values(posthorn_messages_held, job)').label('Job'))
  if (select !== undefined) {
    const { label, from } = select
    const query = `label_values(${from}{job="$job"}, ${label})`
    board.withVariable(variable(label, query).label(label).multi(true).includeAll(true).allValue('.*'))
  }
  for (const [index, panel] of panels.entries()) {
    const gridPos = { x: (index % 2) * WIDTH, y: Math.floor(index / 2) * HEIGHT, w: WIDTH, h: HEIGHT }
    board.withPanel(
      writePanel(panel)
        .id(index + 1)
        .gridPos(gridPos),
    )
  }
  return board.build()
}

function variable(name: string, query: string): QueryVariableBuilder {
  return new QueryVariableBuilder(name).datasource(SOURCE).query(query).refresh(VariableRefresh.OnTimeRangeChanged)
}

function writePanel({ title, about, unit, lines, max, isSigned }: Panel): PanelBuilder {
  const panel = new PanelBuilder()
    .title(title)
    .description(about)
    .datasource(SOURCE)
    .unit(unit)
    .legend(new VizLegendOptionsBuilder().showLegend(true))
    .tooltip(new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Multi))
  if (isSigned !== true) panel.min(0)
  if (max !== undefined) panel.max(max)
  for (const [index, [legend, expression]] of Object.entries(lines).entries()) {
    const refId = String.fromCharCode('A'.charCodeAt(0) + index)
    panel.withTarget(
      new DataqueryBuilder().refId(refId).expr(ofJob(expression)).legendFormat(legend).datasource(SOURCE),
    )
  }
  return panel
}

/** One Prometheus may watch several installations: every selector gets the job. */
function ofJob(expression: string): string {
  return expression.replace(METRIC, (_, name: string, brace?: string) =>
    brace === undefined ? `${name}{job="$job"}` : `${name}{job="$job", `,
  )
}

const METRIC = /\b((?:posthorn|process|nodejs)_\w+|up)\b(\{)?/g
