import type { Study } from '../../contract/studies.ts';
import { imagesOfStudies } from '../db/stores/images.ts';
import { type StudyRow, seriesOfStudies } from '../db/stores/studies.ts';
import { filledItemsOfStudies, viewsetsOfStudies } from '../db/stores/viewsets.ts';
import type { Principal } from '../domain/policy/principal.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { imageInfosOf } from './image-info.ts';
import { mountedSlotView } from './viewset-slots.ts';

/** Assembles studies, series, images and viewsets with one query for each, however many studies there are. */
export const studyViews = async (
  { db, thumbLinks }: Pick<ResourceDependencies, 'db' | 'thumbLinks'>,
  principal: Pick<Principal, 'grantId'>,
  studies: readonly StudyRow[],
): Promise<Study[]> => {
  const links = thumbLinks.of(principal);
  const ids = studies.map((row) => row.id);
  const [series, images, viewsets, filled] = await Promise.all([
    seriesOfStudies(db, ids),
    imagesOfStudies(db, ids),
    viewsetsOfStudies(db, ids),
    filledItemsOfStudies(db, ids),
  ]);
  const seriesByStudy = Map.groupBy(series, (row) => row.study_id);
  const imagesBySeries = Map.groupBy(images, (row) => row.series_id);
  const filledByViewset = Map.groupBy(filled, (row) => row.viewset_id);
  const viewsetsByStudy = Map.groupBy(viewsets, (row) => row.study_id);
  return studies.map((study) => ({
    id: study.id,
    uid: study.uid,
    patientId: study.patient_id,
    description: study.description,
    studyDate: study.study_date,
    creationDate: study.created_at.toISOString(),
    accessionNumber: study.accession_number,
    version: study.version,
    series: (seriesByStudy.get(study.id) ?? [])
      .filter((row) => imagesBySeries.has(row.id))
      .map((row) => ({
        id: row.id,
        uid: row.uid,
        modality: row.modality,
        number: row.number,
        description: row.description,
        images: imageInfosOf(imagesBySeries.get(row.id) ?? [], links),
      })),
    viewsets: (viewsetsByStudy.get(study.id) ?? []).map((row) => ({
      viewSetUuid: row.id,
      name: row.name,
      templateUUID: row.template_id,
      filledSlots: Number(row.filled_slots),
      slots: Number(row.slots),
      mounted: (filledByViewset.get(row.id) ?? []).map(mountedSlotView),
    })),
  }));
};
