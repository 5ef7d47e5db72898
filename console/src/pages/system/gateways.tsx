/** The program and its database, and the gateways that share it. */
import { Server } from 'lucide-react'
import { useRef } from 'react'
import type { AnswerOf } from '../../api/api.ts'
import { asRows, useApi } from '../../api/queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { Card, KeyValues } from '../../parts/page/page.tsx'
import { EmptyState, ErrorState, Loading } from '../../parts/page/states.tsx'
import { Num, Time } from '../../parts/values.tsx'
import { useSystemTexts } from './texts.ts'

type Node = AnswerOf<'GET', '/nodes'>['data'][number]
/** A node that has left the list, or that was declared dead. */
type ShownNode = Node & { readonly isGone: boolean }

const EVERY_MS = 5_000
/** A gateway writes a heartbeat every second, and sends nothing after four seconds without one. */
const SILENT_MS = 4_000

export function Gateways() {
  const texts = useSystemTexts()
  const system = useApi('/system', {}, { every: EVERY_MS })
  const nodes = useApi('/nodes', {}, { every: EVERY_MS })
  const rows = useSeenNodes(nodes.data?.data)
  const columns = useColumns(rows)
  if (system.data === undefined) {
    return system.error === null ? <Loading /> : <ErrorState error={system.error} retry={() => void system.refetch()} />
  }
  const { version, database, schema, role, started_at: startedAt } = system.data
  const isCluster = database === 'postgresql'
  return (
    <div className="flex flex-col gap-5">
      <Card title={texts.thisGateway}>
        <KeyValues
          items={[
            { label: texts.version, value: `Posthorn ${version}` },
            { label: texts.database, value: texts.databases[database] },
            { label: texts.schema, value: <Num value={schema} /> },
            { label: texts.role, value: role === null ? '–' : texts.roles[role] },
            { label: texts.since, value: <Time at={startedAt} show="both" /> },
          ]}
        />
      </Card>
      <Card title={texts.gateways} description={isCluster ? texts.gatewaysHint : undefined} flush>
        <DataTable
          caption={texts.gateways}
          columns={columns}
          list={{ ...asRows(nodes), rows }}
          rowKey={({ node }) => node}
          empty={
            <EmptyState icon={Server} title={isCluster ? texts.noGateways : texts.oneGateway}>
              {!isCluster && texts.oneGatewayHint}
            </EmptyState>
          }
        />
      </Card>
    </div>
  )
}

/** Returns the nodes, and those that have gone while this page was open. */
function useSeenNodes(nodes: readonly Node[] | undefined): readonly ShownNode[] | undefined {
  const seen = useRef(new Map<number, Node>())
  if (nodes === undefined) return undefined
  for (const node of nodes) seen.current.set(node.node, node)
  const present = new Set(nodes.map(({ node }) => node))
  return [...seen.current.values()].map((node) => ({ ...node, isGone: !present.has(node.node) }))
}

function useColumns(nodes: readonly ShownNode[] = []): readonly Column<ShownNode>[] {
  const texts = useSystemTexts()
  const versions = new Set(nodes.filter(({ isGone }) => !isGone).map(({ version }) => version))
  return [
    {
      key: 'name',
      label: texts.gateway,
      wraps: true,
      cell: ({ node, name, asked }) => (
        <>
          <span className="font-medium">{name === '' ? texts.node(node) : name}</span>
          <div className="text-sm text-muted">
            {texts.node(node)}
            {asked && ` · ${texts.asked}`}
          </div>
        </>
      ),
    },
    { key: 'state', label: texts.state, cell: (node) => <StateOf node={node} /> },
    { key: 'role', label: texts.role, hideOn: 'phone', cell: ({ role }) => texts.roles[role] },
    {
      key: 'version',
      label: texts.version,
      hideOn: 'phone',
      cell: ({ version }) => (
        <>
          {version === '' ? texts.unknown : version}
          {versions.size > 1 && <div className="text-sm text-muted">{texts.mixed}</div>}
        </>
      ),
    },
    { key: 'slots', label: texts.slots, align: 'right', hideOn: 'phone', cell: ({ slots }) => <Num value={slots} /> },
    { key: 'since', label: texts.since, cell: ({ started_at: at }) => <Time at={at} show="relative" /> },
  ]
}

function StateOf({ node }: { readonly node: ShownNode }) {
  const texts = useSystemTexts()
  const { isGone, silent_ms: silentMs } = node
  if (isGone) return <Badge dot>{texts.gone}</Badge>
  const isSilent = silentMs >= SILENT_MS
  return (
    <>
      <Badge dot tone={isSilent ? 'bad' : 'good'}>
        {isSilent ? texts.silent : texts.running}
      </Badge>
      {isSilent && <div className="text-sm text-muted">{texts.silentFor(Math.round(silentMs / 1_000))}</div>}
    </>
  )
}
