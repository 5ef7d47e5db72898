/**
 * Lets logical replication, with which Citus moves shards, tell rows of part_ref apart: the table has no primary key, for a
 * carrier may give one part the same id twice. Partitions that are made later get the same (partitions.ts).
 */
export const REPLICATION = `
DO $$
DECLARE
  part regclass;
BEGIN
  FOR part IN SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'part_ref'::regclass LOOP
    EXECUTE format('ALTER TABLE %s REPLICA IDENTITY FULL', part);
  END LOOP;
END $$;
`
