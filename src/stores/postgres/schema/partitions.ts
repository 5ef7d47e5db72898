/**
 * Large tables are partitioned by msg_id, which follows time (partitions.ts). Rows from before the first partition have
 * one of their own; a default partition takes rows without one.
 */
export const PARTITIONS = `
DO $$
DECLARE
  this_week bigint := greatest(0, floor((extract(epoch FROM clock_timestamp()) * 1000 - 1767225600000) / 604800000));
  cut record;
  index record;
  definitions text[];
  primary_key text;
BEGIN
  FOR cut IN SELECT * FROM (VALUES
    ('message', 8), ('message_text', 8), ('event', 8), ('report', 1), ('part_ref', 1)) AS cuts (name, weeks)
  LOOP
    definitions := '{}';
    primary_key := NULL;
    FOR index IN
      SELECT pg_class.relname AS name, indisprimary AS is_key, pg_get_indexdef(indexrelid) AS definition,
        pg_get_constraintdef(pg_constraint.oid) AS key
      FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
        LEFT JOIN pg_constraint ON conindid = indexrelid AND contype = 'p'
      WHERE indrelid = cut.name::regclass
    LOOP
      EXECUTE format('ALTER INDEX %I RENAME TO %I', index.name, index.name || '_first');
      IF index.is_key THEN primary_key := index.key; ELSE definitions := definitions || index.definition; END IF;
    END LOOP;
    EXECUTE format('ALTER TABLE %I RENAME TO %I', cut.name, cut.name || '_first');
    EXECUTE format(
      'CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY RANGE (msg_id)',
      cut.name, cut.name || '_first');
    IF primary_key IS NOT NULL THEN EXECUTE format('ALTER TABLE %I ADD %s', cut.name, primary_key); END IF;
    FOR position IN 1 .. cardinality(definitions) LOOP EXECUTE definitions[position]; END LOOP;
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%s)',
      cut.name, cut.name || '_first', (this_week / cut.weeks + 1) * cut.weeks * 549755813888);
    EXECUTE format('CREATE TABLE %I PARTITION OF %I DEFAULT', cut.name || '_rest', cut.name);
  END LOOP;
END $$;

-- On a hash of the hook (the address without its query), because an address may be too long for an index.
CREATE INDEX report_of_hook ON report (bucket, account_id, md5(split_part(address, '?', 1)), msg_id)
  WHERE state = 'pending' AND node = 0 AND due_at IS NOT NULL;

-- Lets logical replication, with which Citus moves shards, distinguish rows of part_ref: the table has no primary key,
-- because a carrier may assign the same id twice. Later partitions get the same (partitions.ts).
DO $$
DECLARE
  part regclass;
BEGIN
  FOR part IN SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'part_ref'::regclass LOOP
    EXECUTE format('ALTER TABLE %s REPLICA IDENTITY FULL', part);
  END LOOP;
END $$;
`
