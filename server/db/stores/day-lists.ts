import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { type dayListGet, openedLimit, type WaitingReason, waitingDays } from '../../../contract/day-lists.ts';
import type { Schema } from '../schema.ts';
import { midnight } from './date-range.ts';
import { isListable, type ListReader } from './listable-patients.ts';
import { matchesWords } from './matches-words.ts';
import { all } from './search-terms.ts';

export type DayListQuery = z.output<typeof dayListGet.body & {}> & ListReader;

export interface DayListRow {
  readonly id: string;
  readonly at: Date;
  /** Null in the list of opened patients. */
  readonly images: Readonly<Record<WaitingReason | 'total', number>> | null;
}

interface DayListPage {
  readonly rows: readonly DayListRow[];
  readonly totalCount: number;
}

type Counted<Row> = Row & { readonly count: number };

/** An empty page beyond the last row has no row that carries the count: it is 0 there. */
const pageOf = <Row extends DayListRow>(rows: readonly Counted<Row>[]): DayListPage => ({
  rows,
  totalCount: rows[0]?.count ?? 0,
});

const columnOf = {
  unopened: sql`unopened`,
  unmounted: sql`unmounted`,
  withoutTeeth: sql`without_teeth`,
} as const satisfies Record<WaitingReason, RawBuilder<unknown>>;

/** The patients of a clinic that this account opened last. */
const openedPatients = async (db: Kysely<Schema>, accountId: string, query: DayListQuery): Promise<DayListPage> => {
  const { customerId, q, page, ppage } = query;
  const { rows } = await sql<Counted<DayListRow>>`
    with opened as (
      select patient.id, patient_opening.opened_at as at, patient.search_text, patient.search_digits
      from patient_opening join patient on patient.id = patient_opening.patient_id
      where patient_opening.account_id = ${accountId} and patient.customer_id = ${customerId} and patient.deleted_at is null
      order by opened_at desc limit ${openedLimit})
    select id, at, null as images, count(*) over ()::integer as count from opened as patient
    where ${all([matchesWords(sql`patient.search_text`, q), ...isListable(sql`patient.id`, query)])}
    order by at desc, id limit ${ppage} offset ${(page - 1) * ppage}`.execute(db);
  return pageOf(rows);
};

/** Patients with images imported since a day, and how many of these images wait for each reason. */
const importedSince = async (
  db: Kysely<Schema>,
  since: RawBuilder<Date>,
  having: RawBuilder<boolean>,
  query: DayListQuery,
): Promise<DayListPage> => {
  const { customerId, q, page, ppage } = query;
  const { rows } = await sql<Counted<DayListRow>>`
    with recent as materialized (
      select gallery_image.image_id, gallery_image.patient_id, gallery_image.created_at, modality = 'IO' as is_intraoral, teeth
      from gallery_image join patient on patient.id = gallery_image.patient_id
      where gallery_image.customer_id = ${customerId} and gallery_image.created_at >= ${since}
        and ${all([matchesWords(sql`patient.search_text`, q), ...isListable(sql`patient.id`, query)])}
    ), opened as materialized (
      select distinct object_id from access_log
      where patient_id in (select patient_id from recent) and at >= ${since} and action = 'image.opened'
    ), counted as (
      select patient_id as id, max(created_at) as at, count(*) as total,
        count(*) filter (where not exists (select from opened where object_id = image_id::text)) as unopened,
        count(*) filter (where is_intraoral and not is_mounted) as unmounted,
        count(*) filter (where is_intraoral and recent.teeth = '{}' and not has_slot_teeth) as without_teeth
      from recent, lateral (
        select count(*) > 0 as is_mounted, coalesce(bool_or(viewset_item.teeth <> '{}'), false) as has_slot_teeth
        from viewset_item join viewset on viewset.id = viewset_item.viewset_id join study on study.id = viewset.study_id
        where viewset_item.image_id = recent.image_id and viewset.deleted_at is null and study.deleted_at is null
      ) as slots
      group by patient_id
    )
    select id, at, count(*) over ()::integer as count,
      json_build_object('total', total, 'unopened', unopened, 'unmounted', unmounted, 'withoutTeeth', without_teeth) as images
    from counted where ${having}
    order by at desc, id limit ${ppage} offset ${(page - 1) * ppage}`.execute(db);
  return pageOf(rows);
};

/** Returns a page of a list of the day's work. `today`: `YYYY-MM-DD` in Europe/Stockholm. */
export const dayList = (
  db: Kysely<Schema>,
  accountId: string,
  today: string,
  query: DayListQuery,
): Promise<DayListPage> => {
  switch (query.list) {
    case 'opened':
      return openedPatients(db, accountId, query);
    case 'today':
      return importedSince(db, midnight(today, 0), sql<boolean>`true`, query);
    case 'waiting': {
      const reasons = query.reason ? [columnOf[query.reason]] : Object.values(columnOf);
      const since = sql<Date>`(${midnight(today, 0)} - make_interval(days => ${waitingDays}))`;
      return importedSince(db, since, sql<boolean>`${sql.join(reasons, sql` + `)} > 0`, query);
    }
    default:
      return query.list satisfies never;
  }
};
