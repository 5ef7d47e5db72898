/** The setup as one document: exported whole, and applied completely or not at all. */
import Type from 'typebox'
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import type { Change } from '../../../ports/stores/setup-store.ts'
import { receiptCheck } from '../carriers/check-removal.ts'
import { checkMayChange, checkProof } from '../changes/check-change.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { LOSE_RECEIPTS, nullable, OPERATORS, SECRET_INPUT, whole } from '../fields/shapes.ts'
import { StreamedJson } from '../fields/streamed-json.ts'
import { applyConfiguration } from './apply-configuration.ts'
import { readConfiguration, writeConfiguration } from './configuration.ts'

const Configuration = Type.Record(Type.String(), Type.Unknown(), {
  description: 'as returned by GET; missing sections stay unchanged',
  ...SECRET_INPUT,
})

const Value = nullable(Type.String(), { description: 'JSON, (secret), or the length of a long list; null for none' })
const Applied = Type.Object({
  applied: Type.Boolean(),
  review: Type.String({ description: 'identifies the differences: send it to apply exactly these' }),
  counts: Type.Object({ added: whole(), removed: whole(), changed: whole() }),
  changes: Type.Array(
    Type.Object({
      section: Type.String(),
      action: Type.Enum(['added', 'removed', 'changed']),
      item: Type.String(),
      fields: Type.Array(Type.Object({ field: Type.String(), before: Value, after: Value })),
    }),
    { description: 'the first 1000, field by field' },
  ),
  difference: Type.Array(Type.String(), { description: 'all, one line each: + added, - removed, ~ changed' }),
})

export const CONFIGURATION_ENDPOINTS = [
  endpoint({
    name: 'exportConfiguration',
    method: 'GET',
    path: '/configuration',
    ownCommand: 'config export',
    summary: 'export the configuration as one document; secrets are shown as <kept>',
    may: ['owner', 'operator', 'auditor'],
    result: Type.Record(Type.String(), Type.Unknown()),
    run: async ({ store }, _, { role }) => new StreamedJson(writeConfiguration(await store.loadDirectory(), role)),
  }),
  endpoint({
    name: 'applyConfiguration',
    method: 'PUT',
    path: '/configuration',
    ownCommand: 'config apply',
    summary:
      'apply a configuration document in one transaction; returns what is added, removed and changed. ' +
      'Each change requires a role that may make it: prices require finance',
    may: OPERATORS,
    body: {
      configuration: Configuration,
      dry_run: Type.Optional(Type.Boolean({ description: 'change nothing' })),
      review: Type.Optional(
        Type.String({
          maxLength: 100,
          description:
            '`review` of a dry run: change nothing, and answer 412, if the differences are no longer the same',
        }),
      ),
      lose_receipts: LOSE_RECEIPTS,
    },
    result: Applied,
    maxBytes: 32 * 1024 * 1024,
    run: async (tools, { configuration, dry_run: dryRun = false, review, lose_receipts: losesReceipts }, actor) => {
      const { store, clock, checkSettings, hookGuard } = tools
      const checkMay = (change: Change, rows: DirectoryRows) => {
        checkMayChange(actor, change)
        checkProof(actor, change, rows, clock.now())
      }
      const checkReceipts = receiptCheck(tools, losesReceipts)
      const options = { checkSettings, hookGuard, checkMay, checkReceipts, dryRun, review }
      const list = await applyConfiguration(store, await readConfiguration(configuration), options)
      const changes = list.details.map((change) => ({ ...change, fields: [...change.fields] }))
      return { applied: !dryRun, review: list.review(), counts: list.counts, changes, difference: list.lines }
    },
  }),
]
