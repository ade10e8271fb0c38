import { type Insertable, type Kysely, type Selectable, sql } from 'kysely';
import type { ListLanguage } from '../../domain/list-language.ts';
import { standardTemplates } from '../../domain/standard-templates.ts';
import { inListOrder } from '../list-order.ts';
import type { Schema, TemplateTable } from '../schema.ts';

export type TemplateRow = Selectable<TemplateTable>;

/** Templates with the user's own choice of favourites where there is one. */
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

/** Returns the templates of all clinics and those of one clinic (null: of none), favourites first, then by name. */
export const templatesOfClinic = (
  db: Kysely<Schema>,
  accountId: string,
  customerId: string | null,
  language: ListLanguage,
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
    .orderBy(inListOrder(sql`list_key(name)`, language))
    .orderBy('id')
    .execute();

export const findTemplate = (db: Kysely<Schema>, accountId: string, id: string): Promise<TemplateRow | undefined> =>
  asSeenBy(db, accountId).where('template.id', '=', id).executeTakeFirst();

/** Inserts templates; existing ones are unchanged. */
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

/** Inserts or updates templates. Several nodes may call it at once. */
export const putTemplates = async (
  db: Kysely<Schema>,
  templates: readonly Insertable<TemplateTable>[],
): Promise<void> => {
  // Fixed order, so that two starting nodes wait for each other instead of deadlocking.
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

/** Returns a template without regard to who sees it. @throws when there is none */
export const templateById = (db: Kysely<Schema>, id: string): Promise<TemplateRow> =>
  db.selectFrom('template').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** Creates or updates the standard templates. Existing viewsets are copies and do not change. */
export const ensureStandardTemplates = (db: Kysely<Schema>): Promise<void> =>
  putTemplates(
    db,
    standardTemplates.map(({ uuid, isFavorite, viewSetItems, ...template }) => ({
      ...template,
      id: uuid,
      customer_id: null,
      is_favorite: isFavorite,
      items: JSON.stringify(viewSetItems.map(({ view: _, ...slot }) => slot)),
    })),
  );
