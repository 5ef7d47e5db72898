/** The setup as one document: exported whole, and applied completely or not at all. */
import Type from 'typebox'
import type { DirectoryRows } from '../../../domain/directory.ts'
import type { Change } from '../../../ports/setup-store.ts'
import { receiptCheck } from '../carriers/check-removal.ts'
import { checkMayChange, checkProof } from '../change-rules.ts'
import { endpoint } from '../endpoint.ts'
import { LOSE_RECEIPTS, OPERATORS, SECRET_INPUT } from '../shapes.ts'
import { StreamedJson } from '../streamed-json.ts'
import { applyConfiguration } from './apply-configuration.ts'
import { readConfiguration, writeConfiguration } from './configuration.ts'

const Configuration = Type.Record(Type.String(), Type.Unknown(), {
  description: 'as returned by GET; missing sections stay unchanged',
  ...SECRET_INPUT,
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
    run: async ({ store }) => new StreamedJson(writeConfiguration(await store.loadDirectory())),
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
      lose_receipts: LOSE_RECEIPTS,
    },
    result: Type.Object({ applied: Type.Boolean(), difference: Type.Array(Type.String()) }),
    maxBytes: 32 * 1024 * 1024,
    run: async (tools, { configuration, dry_run: dryRun = false, lose_receipts: losesReceipts }, actor) => {
      const { store, clock, checkSettings, hookGuard } = tools
      const checkMay = (change: Change, rows: DirectoryRows) => {
        checkMayChange(actor, change)
        checkProof(actor, change, rows, clock.now())
      }
      const checkReceipts = receiptCheck(tools, losesReceipts)
      const options = { checkSettings, hookGuard, checkMay, checkReceipts, dryRun }
      const wanted = await readConfiguration(configuration)
      return { applied: !dryRun, difference: [...(await applyConfiguration(store, wanted, options))] }
    },
  }),
]
