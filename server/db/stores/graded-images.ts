import { type Kysely, sql } from 'kysely';
import { type GradeGroup, gradeSampleSize } from '../../../contract/grade-report.ts';
import { ungradedModalities } from '../../../contract/grade-summary.ts';
import type { GradedImages } from '../../domain/grade-report.ts';
import type { Schema } from '../schema.ts';
import { isListable, type ListReader } from './listable-patients.ts';
import { all } from './search-terms.ts';
import { teethShown } from './visible-images.ts';

/** Images of a clinic by day of exposure, `YYYY-MM-DD`, both inclusive. */
export interface GradePeriod {
  readonly customerId: string;
  readonly from: string;
  readonly to: string;
}

/** Radiographs of the period with their newest grade. Every time of a day sorts before the day followed by the last ASCII character. */
const radiographs = ({ customerId, from, to }: GradePeriod) => sql`(
  select gallery_image.image_id, gallery_image.patient_id, gallery_image.shown_at, gallery_image.modality, ${teethShown} as teeth,
    grading.grade, grading.reason, grading.operator, coalesce(grading.is_cephalometric, false) as is_cephalometric
  from gallery_image join image on image.id = gallery_image.image_id
  left join lateral (
    select * from image_grade where image_grade.image_id = gallery_image.image_id order by version desc limit 1) as grading on true
  where gallery_image.customer_id = ${customerId} and gallery_image.shown_at >= ${from} and gallery_image.shown_at <= ${`${to}~`}
    and gallery_image.modality <> all(${[...ungradedModalities]}::text[])) as radiograph`;

/** As `imageKindOf` and `gradeGroupOf`: IO, and other modalities but PX with teeth of one jaw or one side. */
const isIntraoral = sql<boolean>`(modality = 'IO' or (modality <> 'PX' and 1 in (
  select count(distinct tooth / 10 in (1, 2, 5, 6)) from unnest(teeth) as tooth
  union all select count(distinct tooth / 10 in (1, 4, 5, 8)) from unnest(teeth) as tooth)))`;

/** Returns the graded images of a period, counted. */
export const gradedImages = async (db: Kysely<Schema>, period: GradePeriod): Promise<GradedImages[]> => {
  const { rows } = await sql<GradedImages>`
    select modality, teeth, is_cephalometric as "isCephalometric", grade, reason, operator, count(*)::integer as images
    from ${radiographs(period)} where grade is not null
    group by modality, teeth, is_cephalometric, grade, reason, operator`.execute(db);
  return rows;
};

export interface ImagesToGrade {
  readonly images: number;
  readonly graded: number;
  readonly ids: readonly string[];
}

/**
 * Returns one ungraded image of each part of the period without a graded one, by time, and the images of the group. Which image of a part is
 * taken depends on its id only, so that the sample stays the same while it is graded. Who does not see protected identities gets none.
 */
export const imagesToGrade = async (
  db: Kysely<Schema>,
  period: GradePeriod & ListReader,
  group: GradeGroup,
): Promise<ImagesToGrade> => {
  const ofGroup = group === 'intraoral' ? isIntraoral : sql<boolean>`not ${isIntraoral}`;
  const isOffered = all([ofGroup, ...isListable(sql`patient_id`, period)]);
  const { rows } = await sql<ImagesToGrade>`
    with of_group as materialized (
      select image_id, shown_at, grade, ntile(${gradeSampleSize}::integer) over (order by shown_at, image_id) as part
      from ${radiographs(period)} where ${isOffered}),
    offered as (
      select distinct on (part) image_id, part from of_group
      where part not in (select part from of_group where grade is not null) order by part, md5(image_id::text))
    select (select count(*)::integer from of_group) as images,
      (select count(*)::integer from of_group where grade is not null) as graded,
      array(select image_id from offered order by part) as ids`.execute(db);
  return rows[0] ?? { images: 0, graded: 0, ids: [] };
};
