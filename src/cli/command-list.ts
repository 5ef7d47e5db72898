/** All commands of the program: each with what loads it, so that one command does not load the others. */
import type { Command } from 'commander'
import type { Terminal } from './command/terminal.ts'

export type LoadCommand = () => Promise<(terminal: Terminal) => Command>

/** In the order of the help: before the groups. */
export const RUNNING: readonly (readonly [name: string, load: LoadCommand])[] = [
  ['sandbox', async () => (await import('./run/sandbox.ts')).sandboxCommand],
  ['init', async () => (await import('./upkeep/init.ts')).initCommand],
  ['serve', async () => (await import('./run/serve.ts')).serveCommand],
  ['console', async () => (await import('./run/console.ts')).consoleCommand],
  ['mcp', async () => (await import('./run/mcp.ts')).mcpCommand],
  ['health', async () => (await import('./run/health.ts')).healthCommand],
  ['migrate', async () => (await import('./upkeep/migrate.ts')).migrateCommand],
  ['import', async () => (await import('./setup/import-kannel.ts')).importCommand],
  ['backup', async () => (await import('./upkeep/backup.ts')).backupCommand],
  ['move', async () => (await import('./upkeep/move.ts')).moveCommand],
]

/** With the commands of each group beside those that endpoints name. */
export const GROUPS: readonly (readonly [name: string, summary: string, commands: readonly LoadCommand[]])[] = [
  [
    'account',
    'manage accounts, their settings and balances',
    [async () => (await import('./support/account-discard.ts')).accountDiscardCommand],
  ],
  ['key', 'manage API keys', [async () => (await import('./support/key-check.ts')).keyCheckCommand]],
  ['login', 'manage the names and passwords of programs that speak SMPP or the HTTP of other gateways', []],
  ['sender', 'approve sender names', []],
  ['chat-template', 'manage chat-app templates and their approval', []],
  ['sms-template', 'list the SMS templates of an account', []],
  ['price', 'manage prices', [async () => (await import('./setup/sheet-import.ts')).priceImportCommand]],
  ['price-group', 'manage price groups, and move accounts to them', []],
  [
    'tariff',
    'import, export and copy price lists',
    [async () => (await import('./setup/tariff-import.ts')).tariffImportCommand],
  ],
  [
    'ledger',
    'verify the ledger, show margins',
    [async () => (await import('./upkeep/ledger-verify.ts')).ledgerVerifyCommand],
  ],
  [
    'carrier',
    'manage carriers',
    [
      async () => (await import('./setup/carrier-add.ts')).carrierAddCommand,
      async () => (await import('./setup/carrier-set.ts')).carrierSetCommand,
      async () => (await import('./setup/carrier-test.ts')).carrierTestCommand,
      async () => (await import('./support/carrier-discard.ts')).carrierDiscardCommand,
    ],
  ],
  [
    'provider',
    'show the providers with ready settings for carriers',
    [async () => (await import('./setup/provider-show.ts')).providerShowCommand],
  ],
  ['route', 'manage routes to carriers', []],
  ['cost', 'manage carrier costs', [async () => (await import('./setup/sheet-import.ts')).costImportCommand]],
  [
    'operator',
    'manage the table of mobile operators',
    [async () => (await import('./setup/operator-import.ts')).operatorImportCommand],
  ],
  [
    'config',
    'export and apply the configuration as one file',
    [
      async () => (await import('./setup/config-export.ts')).configExportCommand,
      async () => (await import('./setup/config-apply.ts')).configApplyCommand,
    ],
  ],
  [
    'pool',
    'manage number pools for flash calls',
    [async () => (await import('./setup/pool-import.ts')).poolImportCommand],
  ],
  ['call', 'show call statistics', []],
  ['verify', 'show how many verifications are approved', []],
  ['hook', 'manage hooks and their secrets', []],
  ['client-hook', 'manage the hooks that clients create', []],
  [
    'bulk',
    'send one message to many recipients: make, start, pause and stop bulks',
    [async () => (await import('./support/bulk-upload.ts')).bulkUploadCommand],
  ],
  [
    'report',
    'list and resend failed reports',
    [async () => (await import('./support/report-resend.ts')).reportResendCommand],
  ],
  ['inbound', 'list inbound messages', []],
  [
    'phone',
    'let simulated phones of a running sandbox write',
    [async () => (await import('./run/phone-reply.ts')).phoneReplyCommand],
  ],
  ['inbound-number', 'manage the numbers that recipients write to, and their accounts', []],
  ['guard', 'manage limits and quiet hours of the installation', []],
  ['number', 'manage the deny list and the allow list', []],
  ['alarm', 'manage alarms', []],
  ['quality', 'judge carriers by what they deliver', []],
  ['alarm-rule', 'manage when alarms are opened', []],
  ['notification-target', 'manage where operators are notified of alarms', []],
  ['opt-out', 'manage opt-outs', []],
  [
    'message',
    'find, export and settle messages',
    [
      async () => (await import('./support/message-export.ts')).messageExportCommand,
      async () => (await import('./message-settle.ts')).messageSettleCommand,
    ],
  ],
  ['user', 'manage admin users', []],
  ['token', 'manage tokens of the admin API', []],
  ['audit', 'show the audit log', []],
  ['node', 'list the gateways that share a database', []],
  ['system', 'show what runs', []],
  [
    'secret-key',
    'manage the keys that encrypt texts and secrets in the database',
    [
      async () => (await import('./upkeep/secret-key-list.ts')).secretKeyListCommand,
      async () => (await import('./upkeep/secret-key-rotate.ts')).secretKeyRotateCommand,
      async () => (await import('./upkeep/secret-key-reseal.ts')).secretKeyResealCommand,
      async () => (await import('./upkeep/secret-key-remove.ts')).secretKeyRemoveCommand,
    ],
  ],
]

/** After the groups. */
export const LOOKING: readonly (readonly [name: string, load: LoadCommand])[] = [
  ['trace', async () => (await import('./support/trace.ts')).traceCommand],
  ['forget', async () => (await import('./upkeep/forget.ts')).forgetCommand],
  ['open-api', async () => (await import('./run/open-api.ts')).openApiCommand],
]
