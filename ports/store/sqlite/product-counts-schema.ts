/*
 * Counts of products by project. Triggers change them in the transaction of the write: see `blog-counts-schema.ts`.
 * Every product costs an update of few short rows, so that imports are hardly slower. Times of updates are not counted:
 * they change with every save.
 */

type Row = 'NEW' | 'OLD'

/** A row of `products` without a value has none to count: its statement matches or adds nothing. */
const countValue = (row: Row, column: 'status' | 'category'): string =>
  row === 'OLD'
    ? `UPDATE product_counts SET count = count - 1
       WHERE project_n = OLD.project_n AND kind = '${column}' AND value = OLD.${column};`
    : `INSERT INTO product_counts SELECT NEW.project_n, '${column}', NEW.${column}, 1 WHERE NEW.${column} IS NOT NULL
       ON CONFLICT DO UPDATE SET count = count + 1;`
/** The codes of a list such as `,thin,too_short,`. */
const codesOf = (column: string): string =>
  `json_each('["' || replace(substr(${column}, 2, length(${column}) - 2), ',', '","') || '"]')`
const countQuality = (row: Row): string => `
  INSERT INTO product_counts
    SELECT ${row}.project_n, 'quality', code.value, ${row === 'NEW' ? 1 : -1} FROM ${codesOf(`${row}.quality`)} code
    WHERE ${row}.quality IS NOT NULL ON CONFLICT DO UPDATE SET count = count + excluded.count;`
const changed = (column: string): string =>
  `AFTER UPDATE OF ${column} ON products WHEN NEW.${column} IS NOT OLD.${column}`

/** The counts, from existing products, and the triggers that change them. */
export const PRODUCT_COUNTS_SCHEMA = `
-- \`kind\`: status, category, quality. The counts of all states add up to those of all products.
CREATE TABLE product_counts (
  project_n INTEGER NOT NULL,
  kind TEXT NOT NULL,
  value TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (project_n, kind, value)
) WITHOUT ROWID;
INSERT INTO product_counts SELECT project_n, 'status', status, count(*) FROM products GROUP BY 1, 3;
INSERT INTO product_counts
  SELECT project_n, 'category', category, count(*) FROM products WHERE category IS NOT NULL GROUP BY 1, 3;
INSERT INTO product_counts
  SELECT project_n, 'quality', code.value, count(*) FROM products, ${codesOf('quality')} code
  WHERE quality IS NOT NULL GROUP BY 1, 3;

CREATE TRIGGER product_counts_zero AFTER UPDATE ON product_counts WHEN NEW.count = 0 BEGIN
  DELETE FROM product_counts WHERE project_n = NEW.project_n AND kind = NEW.kind AND value = NEW.value;
END;
CREATE TRIGGER product_counts_added AFTER INSERT ON products BEGIN
  ${countValue('NEW', 'status')} ${countValue('NEW', 'category')}
END;
CREATE TRIGGER product_counts_quality_added AFTER INSERT ON products WHEN NEW.quality IS NOT NULL BEGIN
  ${countQuality('NEW')}
END;
CREATE TRIGGER product_counts_deleted BEFORE DELETE ON products BEGIN
  ${countValue('OLD', 'status')} ${countValue('OLD', 'category')} ${countQuality('OLD')}
END;
CREATE TRIGGER product_counts_status ${changed('status')} BEGIN
  ${countValue('OLD', 'status')} ${countValue('NEW', 'status')}
END;
CREATE TRIGGER product_counts_category ${changed('category')} BEGIN
  ${countValue('OLD', 'category')} ${countValue('NEW', 'category')}
END;
CREATE TRIGGER product_counts_quality ${changed('quality')} BEGIN
  ${countQuality('OLD')} ${countQuality('NEW')}
END;
`
