/** What messages and their money need of the store of a cluster; `npm run check-slow` runs the tests of every store. */
import { describePostgres } from '../conformance/postgres.ts'

await describePostgres(['accepting', 'keptAnswers', 'turns', 'receipts', 'claims', 'reports', 'book'])
