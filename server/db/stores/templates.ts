import type { Insertable, Kysely, Selectable } from 'kysely';
import type { Schema, TemplateTable } from '../schema.ts';

export type TemplateRow = Selectable<TemplateTable>;

/** Templates, with the person's own choice of favourites where they made one. */
const asSeenBy = (db: Kysely<Schema>, accountId: string) =>
  db
    .selectFrom('template')
    .leftJoin('template_favorite', (join) =>
      join
        .onRef('template_favorite.template_id', '=', 'template.id')
        .on('template_favorite.account_id', '=', accountId),
    )
    .select(['template.id', 'customer_id', 'name', 'width', 'height', 'modality', 'items'])
    .select(({ fn }) =>
      fn.coalesce('template_favorite.is_favorite', 'template.is_favorite').$castTo<boolean>().as('is_favorite'),
    );

/** The templates that all clinics have and those of one clinic (null: of none), favourites first, then by name. */
export const templatesOfClinic = (
  db: Kysely<Schema>,
  accountId: string,
  customerId: string | null,
): Promise<TemplateRow[]> =>
  db
    .selectFrom(asSeenBy(db, accountId).as('seen'))
    .selectAll()
    .where((where) =>
      customerId === null
        ? where('customer_id', 'is', null)
        : where.or([where('customer_id', 'is', null), where('customer_id', '=', customerId)]),
    )
    .orderBy('is_favorite', 'desc')
    .orderBy('name')
    .orderBy('id')
    .execute();

export const findTemplate = (db: Kysely<Schema>, accountId: string, id: string): Promise<TemplateRow | undefined> =>
  asSeenBy(db, accountId).where('template.id', '=', id).executeTakeFirst();

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

/** Adds templates, and brings those that are there to what is given. Several nodes may call it at once. */
export const putTemplates = async (
  db: Kysely<Schema>,
  templates: readonly Insertable<TemplateTable>[],
): Promise<void> => {
  // Always in the same order, so that two nodes that start together wait for each other instead of for ever.
  const rows = templates.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  await db
    .insertInto('template')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet(({ ref }) => ({
        name: ref('excluded.name'),
        width: ref('excluded.width'),
        height: ref('excluded.height'),
        modality: ref('excluded.modality'),
        is_favorite: ref('excluded.is_favorite'),
        items: ref('excluded.items'),
      })),
    )
    .execute();
};

export const setFavorite = async (
  db: Kysely<Schema>,
  choice: { readonly accountId: string; readonly templateId: string; readonly isFavorite: boolean },
): Promise<void> => {
  await db
    .insertInto('template_favorite')
    .values({ account_id: choice.accountId, template_id: choice.templateId, is_favorite: choice.isFavorite })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'template_id']).doUpdateSet({ is_favorite: choice.isFavorite }),
    )
    .execute();
};
