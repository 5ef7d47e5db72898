/** How hooks that answered 410 are stopped: a stop by a report of a test message does not weaken another one. */
export const REPLACE_STOP = `DO UPDATE SET stopped = 1, changed_at = excluded.changed_at,
  test = CASE WHEN stopped_hook.stopped = 1 AND stopped_hook.test = 0 THEN 0 ELSE excluded.test END`
