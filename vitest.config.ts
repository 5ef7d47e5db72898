import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { folderInMemory } from './test/support/folder-in-memory.ts'
import { whyPostgresIsMissing } from './test/support/postgres-programs.ts'

// The programs and threads that tests start read their sources once for all of them.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('./node_modules/.cache/compiled', import.meta.url))

// A commit of a store waits for its disk: without this, most of a test's time is waiting for it.
process.env['TMPDIR'] ??= folderInMemory() ?? tmpdir()

/** Of the order of tests. */
const SEED = Number(process.env['POSTHORN_TEST_SEED'] ?? '1')
/** The tests of a file come in another order. Long stories, such as those in a browser, keep theirs. */
const SHUFFLED = { sequence: { shuffle: { tests: true } } }

/** Tests that share their modules, which saves a third of their time. */
const TOGETHER = [
  ...['domain', 'contract', 'wire', 'operations', 'delivery', 'http', 'carriers', 'journey', 'admin', 'cli', 'client'],
  ...['apis', 'examples', 'dialect', 'deploy', 'interop', 'simulation', 'site'],
].map((room) => `test/${room}/**/*.test.ts`)
// Of PostgreSQL's one reads all statements: others of its process would add those that they make on demand.
TOGETHER.push('test/stores/!(postgres-*).test.ts')

/** Processes and servers that are killed, up to half a minute each. */
const KILLED = ['smsc-killed', 'crash', 'graceful-stop', 'events-killed', 'bulk-killed'].map(
  (name) => `test/crash/${name}.test.ts`,
)
/** `npm run check-slow` runs them, as does .ci/run. */
const SLOW = [
  ...KILLED,
  'test/chaos/**/*.test.ts',
  'test/upgrade/**/*.test.ts',
  // Until Prometheus has scraped every series twice.
  'test/observability/prometheus.test.ts',
  // They start servers of their own.
  ...['dead-nodes', 'outage', 'primary', 'rewind', 'stall', 'tls'].map(
    (subject) => `test/stores/postgres-${subject}.test.ts`,
  ),
  'test/cli/postgres.test.ts',
  'test/journey/roles.test.ts',
  // Carriers in worlds of a week, judged every two minutes.
  'test/domain/judge-quality.test.ts',
  'test/apis/smpp/smpp-nodes.test.ts',
  // Each test starts threads, which load their modules.
  ...['delivery/hook-thread-fails', 'http/hook-thread', 'stores/sqlite-thread'].map((name) => `test/${name}.test.ts`),
  // Each test moves whole installations between the databases, half a second to several each.
  'test/cli/move.test.ts',
  'test/cli/undo-move.test.ts',
  // It installs tools of others.
  'test/contract/generated-clients.test.ts',
  'test/contract/generated-types.test.ts',
  // It compiles a copy of the sources.
  'test/cli/added-channel.test.ts',
  // Each test starts programs of ours: gateways, or commands.
  'test/admin/mcp.test.ts',
  'test/power-cut/power-cut.test.ts',
  ...[
    'configuration',
    'crowd',
    'loaded-modules',
    'npm-signals',
    'process',
    'sandbox-phones',
    'serve',
    'unknown-variables',
  ].map((subject) => `test/cli/${subject}.test.ts`),
  // They start programs of others: Kannel, SIPp, HAProxy, Go, Python, PHP, shells.
  'test/interop/**/*.test.ts',
  'test/examples/collections.test.ts',
  'test/deploy/haproxy.test.ts',
  'test/deploy/helm.test.ts',
  ...['examples', 'php', 'python', 'runtimes'].map((subject) => `test/client/${subject}.test.ts`),
  // They run compilers and npm.
  ...['contract', 'package', 'report-types'].map((subject) => `test/client/${subject}.test.ts`),
  // They install and build the product.
  'test/deploy/first-steps.test.ts',
  'test/deploy/image.test.ts',
  // It builds the documentation site, and opens every page in a browser.
  'test/site/site.test.ts',
  // They run benchmarks, with a gateway and a few hundred messages.
  'test/bench/**/*.test.ts',
  // Each test logs in by password, which is slow on purpose, or by a provider.
  ...['passkeys', 'sso'].map((subject) => `test/admin/${subject}.test.ts`),
  // Files as large as their limits.
  'test/sheets/read-xlsx.test.ts',
  // Hundreds of connections, or certificates.
  ...['long-messages', 'silent-connections', 'smpp-hostile', 'smpp-tls'].map(
    (subject) => `test/apis/smpp/${subject}.test.ts`,
  ),
  // Thousands of messages, or days of them.
  ...['carriers/smpp-pace', 'delivery/queues', 'delivery/resting-hooks'].map((subject) => `test/${subject}.test.ts`),
  ...['change-rules', 'forgotten-bytes', 'sealed-anew'].map((subject) => `test/stores/${subject}.test.ts`),
  ...[
    'alarms',
    'automatic-replies',
    'carrier-checks',
    'carrier-history',
    'jasmin-callbacks',
    'priority',
    'quality',
    'sender-pools',
    'unsettled',
  ].map((subject) => `test/journey/${subject}.test.ts`),
]

/** `npm test` lives through some of its worlds only. */
const MORE_WORLDS = 'test/simulation/simulation.test.ts'

/** Tests in a browser: the first visit belongs to `npm test`, longer journeys to `npm run check-slow`. */
const IN_BROWSER = 'test/console/**/*.test.ts'
const FIRST_VISIT = ['test/console/first-visit.test.ts', 'test/console/first-load.test.ts']
/** Stories of many pages, each of which waits PATIENCE_MS for what it looks for. */
const CONSOLE = { globalSetup: ['test/console/support/prepare-console.ts'], testTimeout: 60_000 }

/** Tests of the PostgreSQL store that leave its server as it is, so that they share one. */
const OF_POSTGRES = [
  'test/stores/binary-array.test.ts',
  ...['early-receipts', 'event-feed', 'locks', 'messages', 'pooler', 'replay', 'round-trips'].map(
    (subject) => `test/stores/postgres-${subject}.test.ts`,
  ),
]

/**
 * All that a store must do, and the steps from each older schema: `npm test` runs the first in memory, and what messages
 * and money need on PostgreSQL too.
 */
const ALL_OF_POSTGRES = [
  'simulation/postgres',
  'stores/migrations',
  'stores/postgres',
  ...['nodes', 'partitions', 'queues'].map((subject) => `stores/postgres-${subject}`),
  'stores/search',
].map((subject) => `test/${subject}.test.ts`)

/** Tests of whole gateways run on either store, but for one that is about PostgreSQL already. */
const SLOW_ON_POSTGRES = {
  include: ['test/journey/**/*.test.ts', 'test/apis/smpp/*.test.ts', ...KILLED],
  exclude: ['test/journey/roles.test.ts', 'test/apis/smpp/smpp-nodes.test.ts'],
}
const ONE_SERVER = { isolate: false, globalSetup: ['test/support/postgres-for-run.ts'] }
const WHY_NO_POSTGRES = await whyPostgresIsMissing()
const HAS_POSTGRES = WHY_NO_POSTGRES === null
const ON_SHARED_SERVER = HAS_POSTGRES ? [...OF_POSTGRES, ...ALL_OF_POSTGRES] : []
if (!HAS_POSTGRES) console.warn(`PostgreSQL cannot run here (${WHY_NO_POSTGRES}); its tests are skipped`)

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // One for each core: much of a test's time is waiting for programs that it started.
    maxWorkers: '100%',
    sequence: { seed: SEED },
    projects: [
      // Those that start programs first, for they take longest.
      {
        extends: true,
        test: {
          name: 'alone',
          ...SHUFFLED,
          include: ['test/**/*.test.ts'],
          exclude: [...TOGETHER, ...SLOW, ...ON_SHARED_SERVER, IN_BROWSER],
        },
      },
      {
        extends: true,
        test: {
          name: 'together',
          include: TOGETHER,
          exclude: [...SLOW, ...ON_SHARED_SERVER],
          isolate: false,
          ...SHUFFLED,
        },
      },
      { extends: true, test: { name: 'console', include: FIRST_VISIT, ...CONSOLE } },
      {
        extends: true,
        test: { name: 'slow', include: [...SLOW, MORE_WORLDS], env: { WORLDS: '150', BACKLOG: '1000000' } },
      },
      { extends: true, test: { name: 'slow-console', include: [IN_BROWSER], exclude: FIRST_VISIT, ...CONSOLE } },
      ...(HAS_POSTGRES
        ? [
            { extends: true as const, test: { name: 'postgres', include: OF_POSTGRES, ...ONE_SERVER, ...SHUFFLED } },
            {
              extends: true as const,
              test: { name: 'slow-conformance', include: ALL_OF_POSTGRES, ...ONE_SERVER, ...SHUFFLED },
            },
            { extends: true as const, test: { name: 'slow-postgres', ...SLOW_ON_POSTGRES, ...ONE_SERVER } },
          ]
        : []),
    ],
  },
})
