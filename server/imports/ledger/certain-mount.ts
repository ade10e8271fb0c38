import type { Kysely } from 'kysely';
import { hasClaim } from '../../../contract/claims.ts';
import { proposeSlots } from '../../../contract/propose-slots.ts';
import type { Schema } from '../../db/schema.ts';
import type { MountColumns } from '../../db/stores/import-studies.ts';
import type { ImportTaskRow } from '../../db/stores/imports.ts';
import { actorOf } from '../../db/stores/received-tasks.ts';
import { findTemplate } from '../../db/stores/templates.ts';
import { slotOfItem } from '../../db/stores/viewset-slots.ts';
import { findViewset, itemsOfViewset, viewsetIdsOfStudy } from '../../db/stores/viewsets.ts';
import { certainSlots, isWholePanorama } from '../../domain/certain-slots.ts';
import { standardTemplate } from '../../domain/standard-templates.ts';
import { imagesToMount } from './images-to-mount.ts';
import type { StudyNow } from './study-view.ts';

/** A new study with one file, which is a panoramic image, gets the mount of one. */
const panoramicMount = async (
  db: Kysely<Schema>,
  task: ImportTaskRow,
  { row, filesCount }: StudyNow,
): Promise<MountColumns | null> => {
  const [image] = await imagesToMount(db, task.id, row.key);
  if (!image || filesCount !== 1 || !isWholePanorama(image)) return null;
  const template = await findTemplate(db, actorOf(task), standardTemplate('panoramic').uuid);
  if (!template) return null;
  const links = proposeSlots({ modality: template.modality, slots: template.items }, [image]);
  return { template_id: template.id, links };
};

/** Images of a study with one mount are mounted in it. Its modality is that of its template; without one it takes images of teeth. */
const mountOfStudy = async (
  db: Kysely<Schema>,
  task: ImportTaskRow,
  { row }: StudyNow,
  studyId: string,
): Promise<MountColumns | null> => {
  const [id, ...others] = await viewsetIdsOfStudy(db, studyId);
  const viewset = id === undefined || others.length > 0 ? undefined : await findViewset(db, id);
  if (!viewset) return null;
  const template = viewset.template_id ? await findTemplate(db, actorOf(task), viewset.template_id) : undefined;
  const items = await itemsOfViewset(db, viewset.id);
  // A structured display says where its images belong.
  if (items.some(({ awaited_uid }) => awaited_uid !== null)) return null;
  const slots = items.map((item) => ({ ...slotOfItem(item), isFree: item.image_id === null }));
  const images = await imagesToMount(db, task.id, row.key, ['parsed']);
  const links = certainSlots({ modality: template?.modality ?? 'IO', slots }, images);
  return Object.keys(links).length === 0 ? null : { viewset_id: viewset.id, links };
};

/**
 * Returns the mount of images that are imported without a user, where the proposal for users leaves no doubt; null: they stay unmounted.
 * @param permissions claims of the user who sent them
 */
export const certainMount = async (
  db: Kysely<Schema>,
  task: ImportTaskRow,
  study: StudyNow,
  permissions: readonly string[],
): Promise<MountColumns | null> => {
  if (study.inArchive !== null) return mountOfStudy(db, task, study, study.inArchive.studyId);
  return hasClaim(permissions, 'disable.new_series') ? null : panoramicMount(db, task, study);
};
