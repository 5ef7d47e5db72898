/** A rule of routing by quality, and its numbers in the order in which they are shown. */
import type { AnswerOf } from '../../../api/api.ts'

export type QualityRule = AnswerOf<'GET', '/quality/rules'>['data'][number]

export const RULE_FIELDS = [
  'floor_percent',
  'drop_percent',
  'slow_percent',
  'trickle_percent',
  'within_seconds',
  'window_minutes',
  'min_messages',
] as const
