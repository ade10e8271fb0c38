import type { ImageInfo } from '../../../contract/images.ts';
import type { Study } from '../../../contract/studies.ts';

/** Where on a patient's page one is; all of it stands in the address. */
export interface Place {
  readonly series: string | null;
  readonly viewsetId: string | null;
  readonly imageUid: string | null;
  /** Uids of two to four images side by side; none: no comparison. */
  readonly compare: readonly string[];
}

export const fewestCompared = 2;
export const mostCompared = 4;

/** What `?compare=` asks for: each image once, no more than fit side by side; fewer than two are no comparison. */
export const comparedIn = (text: string | null): readonly string[] => {
  const uids = [...new Set((text ?? '').split(',').filter((uid) => uid !== ''))].slice(0, mostCompared);
  return uids.length < fewestCompared ? [] : uids;
};

/** `/patient/{patientID}/{series?}/{viewSetID?}`; an image in hand stands in `?image=`, a comparison in `?compare=uid,uid`. */
export const placePath = (patientId: string, place: Partial<Place>): string => {
  const segments = ['/patient', patientId, place.series, place.series ? place.viewsetId : null];
  const path = segments.filter((segment) => segment).join('/');
  if (place.compare && place.compare.length >= fewestCompared) return `${path}?compare=${place.compare.join(',')}`;
  return place.imageUid ? `${path}?image=${place.imageUid}` : path;
};

/** A viewset belongs to a study; its address names the first series of it. */
export const viewsetPath = (patientId: string, study: Study, viewsetId: string): string =>
  placePath(patientId, { series: study.series[0]?.uid ?? study.uid, viewsetId });

export const imagesOf = (study: Study): readonly ImageInfo[] =>
  study.series.flatMap((series) => series.images).toSorted((one, other) => one.order - other.order);

/** What a visit without further address opens: the newest study's first mount in which something hangs, else the first, else its first image. */
export const firstPlace = (studies: readonly Study[]): Partial<Place> | null => {
  const study = studies[0];
  const viewset = study?.viewsets.find((candidate) => candidate.filledSlots > 0) ?? study?.viewsets[0];
  if (study && viewset) return { series: study.series[0]?.uid ?? study.uid, viewsetId: viewset.viewSetUuid };
  const image = study && (imagesOf(study).find((candidate) => candidate.kind === 'image') ?? imagesOf(study)[0]);
  return image ? { series: image.seriesUid, imageUid: image.uid } : null;
};

/** The place that an address means once the studies are known: what it leaves open is filled in, nothing else is changed. */
export const resolvePlace = (asked: Place, studies: readonly Study[]): Place => {
  if (asked.viewsetId || asked.imageUid || asked.compare.length > 0) return asked;
  if (!asked.series) return { ...asked, ...firstPlace(studies) };
  // A search names the study alone.
  const study = studies.find(({ uid }) => uid === asked.series);
  if (study) return { ...asked, ...firstPlace([study]) };
  const series = studies.flatMap((study) => study.series).find(({ uid }) => uid === asked.series);
  const image = series?.images.toSorted((one, other) => one.order - other.order)[0];
  return image ? { ...asked, imageUid: image.uid } : asked;
};
