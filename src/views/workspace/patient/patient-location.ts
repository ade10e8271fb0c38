import type { ImageInfo } from '../../../../contract/images.ts';
import type { Study } from '../../../../contract/studies.ts';
import type { Gone } from '../../app/edit-requests.ts';

/** Location within a patient's page, stored in the URL. */
export interface PatientLocation {
  readonly series: string | null;
  readonly viewsetId: string | null;
  readonly imageUid: string | null;
  /** UIDs of two to four compared images; empty without a comparison. */
  readonly compare: readonly string[];
}

export const fewestCompared = 2;
export const mostCompared = 4;

/** Parses `?compare=`: unique UIDs, at most four; fewer than two are no comparison. */
export const parseCompared = (text: string | null): readonly string[] => {
  const uids = [...new Set((text ?? '').split(',').filter((uid) => uid !== ''))].slice(0, mostCompared);
  return uids.length < fewestCompared ? [] : uids;
};

/** Returns `/patient/{patientID}/{series?}/{viewSetID?}` with `?image=` for an open image or `?compare=uid,uid`. */
export const patientPath = (patientId: string, place: Partial<PatientLocation>): string => {
  const segments = ['/patient', patientId, place.series, place.series ? place.viewsetId : null];
  const path = segments.filter((segment) => segment).join('/');
  if (place.compare && place.compare.length >= fewestCompared) return `${path}?compare=${place.compare.join(',')}`;
  return place.imageUid ? `${path}?image=${place.imageUid}` : path;
};

/** Returns the path of a viewset; it names the first series of its study. */
export const viewsetPath = (patientId: string, study: Study, viewsetId: string): string =>
  patientPath(patientId, { series: study.series[0]?.uid ?? study.uid, viewsetId });

export const imagesOf = (study: Study): readonly ImageInfo[] =>
  study.series.flatMap((series) => series.images).toSorted((one, other) => one.order - other.order);

/** Returns the default location: the newest study's first mount with images, else its first mount, else its first image. */
export const firstLocation = (studies: readonly Study[]): Partial<PatientLocation> | null => {
  const study = studies[0];
  const viewset = study?.viewsets.find((candidate) => candidate.filledSlots > 0) ?? study?.viewsets[0];
  if (study && viewset) return { series: study.series[0]?.uid ?? study.uid, viewsetId: viewset.viewSetUuid };
  const image = study && (imagesOf(study).find((candidate) => candidate.kind === 'image') ?? imagesOf(study)[0]);
  return image ? { series: image.seriesUid, imageUid: image.uid } : null;
};

/** Completes a location from the URL once the studies are loaded; given parts are not changed. */
export const resolveLocation = (asked: PatientLocation, studies: readonly Study[]): PatientLocation => {
  if (asked.viewsetId || asked.imageUid || asked.compare.length > 0) return asked;
  if (!asked.series) return { ...asked, ...firstLocation(studies) };
  // Search results link to a study only.
  const study = studies.find(({ uid }) => uid === asked.series);
  if (study) return { ...asked, ...firstLocation([study]) };
  const series = studies.flatMap((study) => study.series).find(({ uid }) => uid === asked.series);
  const image = series?.images.toSorted((one, other) => one.order - other.order)[0];
  return image ? { ...asked, imageUid: image.uid } : asked;
};

/** Returns the location after records were removed; unchanged when not affected. */
export const locationWithout = (place: PatientLocation, gone: Gone): PatientLocation => {
  if (place.viewsetId && gone.viewsetIds.includes(place.viewsetId))
    return { series: null, viewsetId: null, imageUid: null, compare: [] };
  const compare = place.compare.filter((uid) => !gone.imageUids.includes(uid));
  const isImageGone = place.imageUid !== null && gone.imageUids.includes(place.imageUid);
  const isSeriesGone = !place.viewsetId && place.series !== null && gone.seriesUids.includes(place.series);
  if (!isImageGone && !isSeriesGone && compare.length === place.compare.length) return place;
  return {
    series: place.viewsetId ? place.series : null,
    viewsetId: place.viewsetId,
    imageUid: isImageGone || isSeriesGone ? null : place.imageUid,
    compare: compare.length < fewestCompared ? [] : compare,
  };
};
