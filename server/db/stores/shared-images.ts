import { type Kysely, sql } from 'kysely';
import type { Display } from '../../../contract/displays.ts';
import type { Schema } from '../schema.ts';
import type { OpenLink } from './shared-links.ts';
import { slotOfImage, teethShown, visibleImages } from './visible-images.ts';

type Link = Pick<OpenLink, 'id' | 'patient_id' | 'customer_id'>;

/** Returns the images of a link that are not deleted and still belong to its patient and clinic. */
const imagesOf = (db: Kysely<Schema>, link: Link) =>
  visibleImages(db)
    .innerJoin('shared_link_image', 'shared_link_image.image_id', 'image.id')
    .where('shared_link_image.link_id', '=', link.id)
    .where('study.patient_id', '=', link.patient_id)
    .where('image.customer_id', '=', link.customer_id);

/** Returns one image of a link; undefined when it is not, or no longer, one of them. */
export const imageOfLink = (db: Kysely<Schema>, link: Link, imageId: string) =>
  imagesOf(db, link)
    .select(['image.id', 'image.sha256', 'image.kind', 'image.frames'])
    .where('image.id', '=', imageId)
    .executeTakeFirst();

/** Returns the images of a link in its order, with what the page shows. */
export const imagesOfLink = (db: Kysely<Schema>, link: Link) =>
  imagesOf(db, link)
    .select(['image.id', 'image.kind', 'image.source', 'image.acquired_at', 'image.frames', 'image.transfer_syntax'])
    .select(['study.study_date', 'series.modality'])
    .select([teethShown.as('teeth'), slotOfImage.as('slot')])
    .select(
      sql<Display | null>`(select display from image_display
        where image_display.image_id = image.id and image_display.viewset_id is null)`.as('display'),
    )
    .orderBy('shared_link_image.position')
    .execute();

export type SharedImageRow = Awaited<ReturnType<typeof imagesOfLink>>[number];
