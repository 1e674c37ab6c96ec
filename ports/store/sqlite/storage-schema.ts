/** What an import occupies: its failed rows, and its upload until it ends. */
const importBytes = (row: string) =>
  `coalesce(${row}.record ->> '$.failedBytes', 0) + ` +
  `iif(${row}.finished_at IS NULL, ${row}.record ->> '$.file.bytes', 0)`
const imageBytes = (row: string) => `coalesce(${row}.record ->> '$.originalBytes', 0) + (${row}.record ->> '$.bytes')`
const productAccount = (n: string) =>
  `(SELECT account_id FROM products JOIN product_projects pp ON pp.n = project_n WHERE products.n = ${n})`
const blogAccount = (n: string) => `(SELECT account_id FROM blogs WHERE n = ${n})`
const bodyBytes = (n: string) => `coalesce((SELECT octet_length(body) FROM blog_bodies WHERE n = ${n}), 0)`
const recordBytes = (n: string) => `coalesce((SELECT octet_length(record) FROM product_records WHERE n = ${n}), 0)`

interface Change {
  kind: 'blogs' | 'products' | 'images' | 'imports' | 'responses'
  account: string
  records?: number
  bytes: string
}

/** Adds to the counts of an account, as a statement of a trigger. */
const add = ({ kind, account, records = 0, bytes }: Change) => `
  INSERT INTO storage_usage (account_id, kind, records, bytes) VALUES (${account}, '${kind}', ${records}, ${bytes})
  ON CONFLICT (account_id, kind) DO UPDATE SET records = records + excluded.records, bytes = bytes + excluded.bytes;`
/** A trigger that adds to the counts of an account. */
export const trigger = (name: string, when: string, change: Change) =>
  `CREATE TRIGGER storage_${name} ${when} BEGIN ${add(change)} END;`

/*
 * Counts of records and bytes by account. Triggers change them in the transaction of the write, so
 * that they are always exact. A trigger before an insertion or a deletion still sees the old row.
 */
export const STORAGE_SCHEMA = [
  `CREATE TABLE storage_usage (
    account_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    records INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    PRIMARY KEY (account_id, kind)
  ) WITHOUT ROWID;`,
  `INSERT INTO storage_usage
    SELECT account_id, 'blogs', count(*), sum(octet_length(metadata) + ${bodyBytes('blogs.n')})
    FROM blogs GROUP BY account_id;`,
  `INSERT INTO storage_usage
    SELECT pp.account_id, 'products', count(*), sum(octet_length(record))
    FROM product_records JOIN products USING (n) JOIN product_projects pp ON pp.n = project_n GROUP BY pp.account_id;`,
  `INSERT INTO storage_usage
    SELECT account_id, 'images', count(*), sum(${imageBytes('images')}) FROM images GROUP BY account_id;`,
  `INSERT INTO storage_usage
    SELECT account_id, 'imports', count(*), sum(${importBytes('imports')}) FROM imports GROUP BY account_id;`,
  trigger('blog_added', 'AFTER INSERT ON blogs', {
    kind: 'blogs',
    account: 'NEW.account_id',
    records: 1,
    bytes: 'octet_length(NEW.metadata)'
  }),
  trigger('blog_changed', 'AFTER UPDATE OF metadata ON blogs', {
    kind: 'blogs',
    account: 'NEW.account_id',
    bytes: 'octet_length(NEW.metadata) - octet_length(OLD.metadata)'
  }),
  trigger('blog_deleted', 'BEFORE DELETE ON blogs', {
    kind: 'blogs',
    account: 'OLD.account_id',
    records: -1,
    bytes: `-octet_length(OLD.metadata) - ${bodyBytes('OLD.n')}`
  }),
  // Bodies are replaced by INSERT OR REPLACE, which runs no deletion triggers.
  trigger('body_written', 'BEFORE INSERT ON blog_bodies', {
    kind: 'blogs',
    account: blogAccount('NEW.n'),
    bytes: `octet_length(NEW.body) - ${bodyBytes('NEW.n')}`
  }),
  trigger('product_added', 'AFTER INSERT ON product_records', {
    kind: 'products',
    account: productAccount('NEW.n'),
    records: 1,
    bytes: 'octet_length(NEW.record)'
  }),
  trigger('product_changed', 'AFTER UPDATE OF record ON product_records', {
    kind: 'products',
    account: productAccount('NEW.n'),
    bytes: 'octet_length(NEW.record) - octet_length(OLD.record)'
  }),
  trigger('product_deleted', 'BEFORE DELETE ON products', {
    kind: 'products',
    account: '(SELECT account_id FROM product_projects WHERE n = OLD.project_n)',
    records: -1,
    bytes: `-${recordBytes('OLD.n')}`
  }),
  trigger('image_added', 'AFTER INSERT ON images', {
    kind: 'images',
    account: 'NEW.account_id',
    records: 1,
    bytes: imageBytes('NEW')
  }),
  trigger('image_deleted', 'AFTER DELETE ON images', {
    kind: 'images',
    account: 'OLD.account_id',
    records: -1,
    bytes: `-(${imageBytes('OLD')})`
  }),
  trigger('import_added', 'AFTER INSERT ON imports', {
    kind: 'imports',
    account: 'NEW.account_id',
    records: 1,
    bytes: importBytes('NEW')
  }),
  trigger('import_changed', 'AFTER UPDATE ON imports', {
    kind: 'imports',
    account: 'NEW.account_id',
    bytes: `${importBytes('NEW')} - (${importBytes('OLD')})`
  }),
  trigger('import_deleted', 'AFTER DELETE ON imports', {
    kind: 'imports',
    account: 'OLD.account_id',
    records: -1,
    bytes: `-(${importBytes('OLD')})`
  })
].join('\n')

/** A scope begins with the id of the account, which has no spaces. */
const accountOfScope = (scope: string) => `substr(${scope}, 1, instr(${scope}, ' ') - 1)`
const responseBytes = (row: string) => `coalesce(octet_length(${row}.response), 0)`
const claimedBytes = (scope: string) =>
  `coalesce((SELECT octet_length(response) FROM idempotency WHERE scope = ${scope}), 0)`

/** Counts the responses that are stored for requests with an Idempotency-Key. */
export const RESPONSE_TRIGGERS = [
  // Claims are replaced by INSERT OR REPLACE, which runs no deletion triggers.
  trigger('claim_added', 'BEFORE INSERT ON idempotency', {
    kind: 'responses',
    account: accountOfScope('NEW.scope'),
    bytes: `${responseBytes('NEW')} - ${claimedBytes('NEW.scope')}`
  }),
  trigger('claim_answered', 'AFTER UPDATE OF response ON idempotency', {
    kind: 'responses',
    account: accountOfScope('NEW.scope'),
    bytes: `${responseBytes('NEW')} - ${responseBytes('OLD')}`
  }),
  trigger('claim_deleted', 'AFTER DELETE ON idempotency', {
    kind: 'responses',
    account: accountOfScope('OLD.scope'),
    bytes: `-${responseBytes('OLD')}`
  })
].join('\n')

/** Counts those that are stored already, too. */
export const RESPONSE_STORAGE_SCHEMA = `
INSERT INTO storage_usage
  SELECT ${accountOfScope('scope')}, 'responses', 0, sum(${responseBytes('idempotency')})
  FROM idempotency GROUP BY 1;
${RESPONSE_TRIGGERS}`
