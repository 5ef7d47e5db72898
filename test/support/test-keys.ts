/** The keys of installations in tests. */
import type { KeySource } from '../../src/stores/vault/key-ring.ts'

export const TEST_KEYS: KeySource = { kind: 'given', name: 'the test', keys: '5e'.repeat(32) }
