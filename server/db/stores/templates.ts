import type { Insertable, Kysely, Selectable } from 'kysely';
import type { Schema, TemplateTable } from '../schema.ts';

export type TemplateRow = Selectable<TemplateTable>;

export const allTemplates = (db: Kysely<Schema>): Promise<TemplateRow[]> =>
  db.selectFrom('template').selectAll().orderBy('is_favorite', 'desc').orderBy('name').orderBy('id').execute();

/** Adds templates; those that are there already stay as they are. */
export const insertTemplates = async (
  db: Kysely<Schema>,
  templates: readonly Insertable<TemplateTable>[],
): Promise<void> => {
  if (templates.length === 0) return;
  await db
    .insertInto('template')
    .values(templates)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};
